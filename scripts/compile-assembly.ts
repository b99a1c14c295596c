// Compiles our WebAssembly modules, unless they are newer than their sources.
import { mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, runOrExit } from "./run.ts";

/** Their sources, what is made of them, and what they need: vectors of 128 bits, memory that can be freed or is given. */
const MODULES = [
	{
		sources: "packages/synesthetic/assembly",
		output: "packages/synesthetic/dist/text/text.wasm",
		options: ["--runtime", "stub", "--enable", "simd"],
	},
	{
		sources: "packages/pairofcleats/assembly/segment",
		output: "packages/pairofcleats/dist/segment/kernel.wasm",
		options: ["--runtime", "minimal"],
	},
	{
		sources: "packages/pairofcleats/assembly/vectors",
		output: "packages/pairofcleats/dist/vectors/vectors.wasm",
		options: ["--runtime", "stub", "--enable", "simd", "--importMemory"],
	},
] as const;
const OPTIONS = ["--use", "abort=", "-O3", "--converge", "--noAssert"];

for (const { sources, output, options } of MODULES) {
	const files = readdirSync(join(ROOT, sources)).map((file) => join(sources, file));
	if (files.every((file) => timeOf(file) <= timeOf(output))) continue;
	mkdirSync(dirname(join(ROOT, output)), { recursive: true });
	// Whoever runs meanwhile finds the old one or the new one.
	const fresh = `${output}.${process.pid}`;
	const compiler = "node_modules/assemblyscript/bin/asc.js";
	runOrExit("node", [compiler, `${sources}/index.ts`, "-o", fresh, ...options, ...OPTIONS]);
	renameSync(join(ROOT, fresh), join(ROOT, output));
}

function timeOf(file: string): number {
	return statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
