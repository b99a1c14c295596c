import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { ROOT } from "./run.ts";

/** Bundles into one CommonJS file, which Node loads faster than ES modules; returns the bundled files. */
export async function commonJs(options: BuildOptions): Promise<string[]> {
	const { metafile } = await build({
		...options,
		bundle: true,
		format: "cjs",
		platform: "node",
		target: "node22",
		// Faster to read, and stack traces still name the functions.
		minifyWhitespace: true,
		define: { "import.meta.filename": "__filename", "import.meta.dirname": "__dirname" },
		// The rest of `import.meta` would silently be undefined.
		logOverride: { "empty-import-meta": "error" },
		logLevel: "error",
		metafile: true,
	});
	return Object.keys(metafile.inputs);
}

const COMPILE_CACHE = join(ROOT, "packages/libmcp/dist/command/compileCache.js");

/** Source of a module that starts the compile cache and is then another bundle, loaded from its own file. */
export function cachedBundle(path: string): string {
	return `
		require(${JSON.stringify(COMPILE_CACHE)}).enableCompileCache();
		module.exports = require(${JSON.stringify(path)});
	`;
}

/** Of what `cachedBundle` requires, only the other bundle stays outside. */
export const resolveCached = (path: string): { path: string; external: boolean } => ({
	path,
	external: path !== COMPILE_CACHE,
});

/** Source of `isCurrent`, true when nothing was built after the bundle, and `enableCompileCache`. */
const IS_CURRENT = `
	import { statSync } from "node:fs";
	import { join } from "node:path";
	import { enableCompileCache } from ${JSON.stringify(COMPILE_CACHE)};

	const time = (...path) => statSync(join(__dirname, ...path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
	const BUILDS = ["../.tsbuildinfo", "../../../libmcp/dist/.tsbuildinfo"];
	const isCurrent = () => BUILDS.every((build) => time(build) <= statSync(__filename).mtimeMs);
`;

/**
 * Source of a command's start, called by the file in `bin`: runs the bundle if it is current and Node is new enough,
 * otherwise the built modules. `run` is the code that the bundle runs with `args`.
 */
export function startOf(run: string): string {
	return `
		${IS_CURRENT}
		import { endWithLauncher, isNewEnough, launch } from "libmcp/launch";
		import { main } from "./main.js";

		export function start() {
			if (!isNewEnough() || !isCurrent()) {
				const { pathToFileURL } = require("node:url");
				return launch(pathToFileURL(join(__dirname, "../cli/main.js")));
			}
			endWithLauncher();
			const args = process.argv.slice(2);
			${run}
		}
	`;
}

/** Source of the start of a process: loads the bundle if it is current, otherwise the built module. */
export function startOfProcess(bundle: string, built: string): string {
	return `
		${IS_CURRENT}
		enableCompileCache();
		if (isCurrent()) require("${bundle}");
		else void import("${built}");
	`;
}

/** Source of the exports of the bundle that `oneSpawner` names. */
export function spawnerOf(libmcp: string): string {
	return `
		export * from "libmcp/early";
		export { dismissGuardian } from ${JSON.stringify(join(libmcp, "process/guardian.js"))};
	`;
}

/** The module that spawns workers keeps them for the guardian, so all bundles must share one copy of both. */
export function oneSpawner(beside: string): Plugin {
	return {
		name: "one-spawner",
		setup(bundle) {
			bundle.onResolve({ filter: /\/(?:spawnWorker|guardian)\.js$/ }, () => ({ path: beside, external: true }));
		},
	};
}

/** Keeps `import.meta.url` pointing at the original module, for modules that look for files beside themselves. */
export const whereItWas = (dist: string): Plugin => ({
	name: "where-it-was",
	setup(bundle) {
		bundle.onLoad({ filter: /\.js$/ }, ({ path }) => {
			const source = readFileSync(path, "utf8");
			if (!path.startsWith(dist + sep) || !source.includes("import.meta.url")) return undefined;
			const was = `require("node:path").join(__dirname, "..", ${JSON.stringify(relative(dist, path))})`;
			return { contents: source.replaceAll("import.meta.url", `require("node:url").pathToFileURL(${was}).href`) };
		});
	},
});

/** Whose code is in the bundle, and under what terms. */
export function licencesOf(files: ReadonlySet<string>): string {
	const folders = [...files].flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
	return [...new Set(folders)]
		.sort()
		.map((folder) => {
			const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
			const text = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((file) => join(folder, file)).find(existsSync);
			return `${name} ${version} (${license})\n\n${text === undefined ? "" : readFileSync(text, "utf8").trim()}\n`;
		})
		.join("\n");
}
