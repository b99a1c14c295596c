// Builds the console's page into dist/console: three files and an icon, which load nothing from other hosts.
import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const page = fileURLToPath(new URL("./page/", import.meta.url));
const outdir = fileURLToPath(new URL("../../dist/console/", import.meta.url));

mkdirSync(outdir, { recursive: true });
await build({
	entryPoints: { console: `${page}main.tsx` },
	outdir,
	bundle: true,
	minify: true,
	format: "esm",
	target: "es2022",
	jsx: "automatic",
	jsxImportSource: "preact",
	legalComments: "none",
	logLevel: "error",
});
for (const file of ["index.html", "icon.svg"]) copyFileSync(`${page}${file}`, `${outdir}${file}`);
