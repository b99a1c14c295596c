import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** A program of the tests as one file, for those that start it many times: its modules take longer to find than to run. */
export async function bundled(program: URL): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-bundled-"));
	after(() => rmSync(folder, { recursive: true, force: true }));
	const outfile = join(folder, `${basename(program.pathname, ".ts")}.mjs`);
	await build({
		entryPoints: [fileURLToPath(program)],
		outfile,
		bundle: true,
		format: "esm",
		platform: "node",
		target: "node22",
		banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
		logLevel: "error",
	});
	return outfile;
}
