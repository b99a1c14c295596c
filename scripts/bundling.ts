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

/** Whoever starts workers remembers them for the guardian, so there is one of it, in the file beside. */
export function oneSpawner(beside: string): Plugin {
	return {
		name: "one-spawner",
		setup(bundle) {
			bundle.onResolve({ filter: /\/spawnWorker\.js$/ }, () => ({ path: beside, external: true }));
		},
	};
}
