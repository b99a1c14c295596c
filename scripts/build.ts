// `npm run build` compiles the packages, then makes the bundles that are older than what they are made of.
// `--types` leaves the bundles out: a command whose bundle is old runs the compiled modules instead.
import { spawn } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runOrExit } from "./run.ts";

/** A script that makes `outputs` of `inputs`, paths and globs from the root. */
type Bundling = { readonly script: string; readonly outputs: readonly string[]; readonly inputs: readonly string[] };

const compiled = (...packages: readonly string[]): string[] =>
	packages.map((name) => `packages/${name}/dist/.tsbuildinfo`);
const OF_SCRIPTS = ["scripts/bundling.ts", "scripts/lazySchemas.ts", "package-lock.json"];
const BUNDLINGS: readonly Bundling[] = [
	{
		script: "scripts/bundle-cli.ts",
		outputs: ["main", "host", "guardianMain"].map((name) => `packages/holdfast/dist/fast/${name}.cjs`),
		inputs: [...compiled("libmcp", "holdfast"), ...OF_SCRIPTS],
	},
	{
		script: "scripts/bundle-server.ts",
		outputs: ["main", "host", "serve", "search", "build"].map((name) => `packages/pairofcleats/dist/fast/${name}.cjs`),
		inputs: [...compiled("libmcp", "pairofcleats"), ...OF_SCRIPTS],
	},
	{
		script: "scripts/bundle-gateway.ts",
		outputs: ["packages/metatools/dist/fast/main.cjs", "packages/metatools/dist/fast/guardianMain.cjs"],
		inputs: [...compiled("libmcp", "metatools"), ...OF_SCRIPTS],
	},
	{
		script: "packages/holdfast/src/console/bundle.ts",
		outputs: ["packages/holdfast/dist/console/console.js", "packages/holdfast/dist/console/index.html"],
		inputs: ["packages/holdfast/src/console/page/**/*", "package-lock.json"],
	},
];

runOrExit("node", ["node_modules/typescript/bin/tsc", "-b"]);
runOrExit("node", ["scripts/compile-assembly.ts"]);
if (!process.argv.includes("--types")) {
	const codes = await Promise.all(BUNDLINGS.filter(isOutdated).map(({ script }) => runBeside(script)));
	process.exitCode = Math.max(0, ...codes);
}

function isOutdated({ script, outputs, inputs }: Bundling): boolean {
	const oldest = Math.min(...outputs.map((file) => timeOf(file)));
	return [script, ...inputs.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))].some(
		(file) => timeOf(file) > oldest,
	);
}

function timeOf(file: string): number {
	return statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Runs a script while others run; returns its exit code. */
async function runBeside(script: string): Promise<number> {
	const child = spawn(process.execPath, [script], { cwd: ROOT, stdio: "inherit" });
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	child.on("error", reject).on("exit", (code) => resolve(code ?? 1));
	return promise;
}
