// Bundles the way from `holdfast host` to its first answer: a hundred small modules cost more to find than to run.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { ROOT } from "./run.ts";

const cli = join(ROOT, "packages/holdfast/dist/cli");
const outdir = join(ROOT, "packages/holdfast/dist/fast");

/** Every other command stays where it is and is loaded from there. */
const otherCommandsStay: Plugin = {
	name: "other-commands-stay",
	setup(bundle) {
		bundle.onResolve({ filter: /^\.\// }, ({ kind, importer, path }) => {
			if (kind !== "dynamic-import" || dirname(importer) !== cli || path.includes("hostCommand")) return undefined;
			return { path: `../cli/${path.slice(2)}`, external: true };
		});
	},
};

rmSync(outdir, { recursive: true, force: true });
await build({
	entryPoints: {
		main: join(cli, "main.js"),
		// Started as a file of its own, found beside the module that starts it.
		guardianMain: join(ROOT, "packages/libmcp/dist/process/guardianMain.js"),
	},
	outdir,
	bundle: true,
	splitting: true,
	format: "esm",
	platform: "node",
	target: "node22",
	logLevel: "error",
	plugins: [otherCommandsStay],
});
