import { type BuildOptions, build, type Plugin } from "esbuild";

/** Bundles into one CommonJS file, which Node finds and loads sooner than modules; the answer is what went into it. */
export async function commonJs(options: BuildOptions): Promise<string[]> {
	const { metafile } = await build({
		...options,
		bundle: true,
		format: "cjs",
		platform: "node",
		target: "node22",
		// Shorter to read in, and a stack trace still names the functions.
		minifyWhitespace: true,
		define: { "import.meta.filename": "__filename", "import.meta.dirname": "__dirname" },
		// The rest of `import.meta` would silently be undefined.
		logOverride: { "empty-import-meta": "error" },
		logLevel: "error",
		metafile: true,
	});
	return Object.keys(metafile.inputs);
}

/** Nothing was built after the bundle. */
const IS_CURRENT = `
	import { statSync } from "node:fs";
	import { join } from "node:path";

	const time = (...path) => statSync(join(__dirname, ...path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
	const BUILDS = ["../.tsbuildinfo", "../../../libmcp/dist/.tsbuildinfo"];
	const isCurrent = () => BUILDS.every((build) => time(build) <= statSync(__filename).mtimeMs);
	const withCache = () => require("node:module").enableCompileCache();
`;

/**
 * The beginning of a command, for the file in its `bin` to call: the bundle where it may run and is current, else the
 * built modules. `run` is what the bundle does with `args`.
 */
export function startOf(run: string): string {
	return `
		${IS_CURRENT}
		import { isNewEnough, launch } from "libmcp/launch";
		import { main } from "./main.js";

		export function start() {
			if (!isNewEnough() || !isCurrent()) {
				const { pathToFileURL } = require("node:url");
				return launch(pathToFileURL(join(__dirname, "../cli/main.js")));
			}
			const args = process.argv.slice(2);
			${run}
		}
	`;
}

/** The beginning of a process that a command starts: the bundle beside where it is current, else the built module. */
export function startOfProcess(bundle: string, built: string): string {
	return `
		${IS_CURRENT}
		withCache();
		if (isCurrent()) require("${bundle}");
		else void import("${built}");
	`;
}

/** Whoever starts workers remembers them for the guardian, so there is one of it, in the file beside. */
export function oneSpawner(beside: string): Plugin {
	return {
		name: "one-spawner",
		setup(bundle) {
			bundle.onResolve({ filter: /\/spawnWorker\.js$/ }, () => ({ path: beside, external: true }));
		},
	};
}
