// Bundles the `metatools` command: five hundred small modules take longer to find than to run. What it imports on demand
// of others stays in their packages.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commonJs, licencesOf, startOf, whereItWas } from "./bundling.ts";
import { ROOT } from "./run.ts";

const dist = join(ROOT, "packages/metatools/dist");
const libmcp = join(ROOT, "packages/libmcp/dist");
const outdir = join(dist, "fast");

const START = startOf(`
	enableCompileCache();
	return main(args);
`);

const inputs = [
	await commonJs({
		stdin: { contents: START, resolveDir: join(dist, "cli"), sourcefile: "start.js" },
		outfile: join(outdir, "main.cjs"),
		external: [
			"@modelcontextprotocol/*",
			"@jitl/*",
			"quickjs-emscripten-core",
			"acorn",
			"jose",
			"jsonc-parser",
			"yaml",
		],
		plugins: [whereItWas(dist)],
	}),
	// A separate program, looked up beside the module that starts it.
	await commonJs({ entryPoints: [join(libmcp, "process/guardianMain.js")], outfile: join(outdir, "guardianMain.cjs") }),
];
writeFileSync(join(outdir, "LICENSES.txt"), licencesOf(new Set(inputs.flat())));
