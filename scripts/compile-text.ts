// Compiles what synesthetic reads JSON text with, unless that is newer than its sources.
import { mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, runOrExit } from "./run.ts";

const SOURCES = "packages/synesthetic/assembly";
const OUTPUT = "packages/synesthetic/dist/text/text.wasm";
const OPTIONS = ["--runtime", "stub", "--use", "abort=", "--enable", "simd", "-O3", "--converge", "--noAssert"];

const sources = readdirSync(join(ROOT, SOURCES)).map((file) => join(SOURCES, file));
if (sources.some((source) => timeOf(source) > timeOf(OUTPUT))) {
	mkdirSync(dirname(join(ROOT, OUTPUT)), { recursive: true });
	// Whoever runs meanwhile finds the old one or the new one.
	const fresh = `${OUTPUT}.${process.pid}`;
	runOrExit("node", ["node_modules/assemblyscript/bin/asc.js", `${SOURCES}/index.ts`, "-o", fresh, ...OPTIONS]);
	renameSync(join(ROOT, fresh), join(ROOT, OUTPUT));
}

function timeOf(file: string): number {
	return statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
