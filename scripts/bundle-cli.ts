// Bundles the start of `holdfast host`: a hundred small modules take longer to find than to run. `main.cjs` is the little
// that runs before the server is started, `host.cjs` the rest, loaded while the server starts.
import { dirname, join, posix, relative } from "node:path";
import type { Plugin } from "esbuild";
import { cachedBundle, commonJs, oneSpawner, resolveCached, spawnerOf, startOf } from "./bundling.ts";
import { ROOT } from "./run.ts";

const cli = join(ROOT, "packages/holdfast/dist/cli");
const libmcp = join(ROOT, "packages/libmcp/dist");
const outdir = join(ROOT, "packages/holdfast/dist/fast");

// Opening the compile cache takes longer than compiling what the host needs before its server is started.
const START = `
	${spawnerOf(libmcp)}
	${startOf(`
		if (args[0] !== "host") enableCompileCache();
		return main(args);
	`)}
`;

/** Loads the host from its own bundle with `require`; all other commands are imported from dist. */
const restApart: Plugin = {
	name: "rest-apart",
	setup(bundle) {
		bundle.onResolve({ filter: /^libmcp\/host$/ }, ({ path }) => ({ path, namespace: "beside" }));
		bundle.onLoad({ filter: /./, namespace: "beside" }, () => ({
			contents: cachedBundle("./host.cjs"),
			resolveDir: cli,
		}));
		bundle.onResolve({ filter: /./, namespace: "beside" }, ({ path }) => resolveCached(path));
		bundle.onResolve({ filter: /^\.\.?\// }, ({ kind, importer, path }) => {
			const folder = relative(cli, dirname(importer));
			if (kind !== "dynamic-import" || folder.startsWith("..") || path.includes("hostCommand")) return undefined;
			return { path: posix.join("../cli", folder, path), external: true };
		});
	},
};

await commonJs({
	stdin: { contents: START, resolveDir: cli, sourcefile: "start.js" },
	outfile: join(outdir, "main.cjs"),
	plugins: [restApart],
});
await commonJs({
	entryPoints: [join(libmcp, "host.js")],
	outfile: join(outdir, "host.cjs"),
	plugins: [oneSpawner("./main.cjs")],
});
// A separate program, looked up beside the module that starts it.
await commonJs({ entryPoints: [join(libmcp, "process/guardianMain.js")], outfile: join(outdir, "guardianMain.cjs") });
