// Writes the pages that are made from code; the tests of the packages compare them with what is committed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeErrorsPage, writeToolsPage } from "../packages/pairofcleats/src/tools/pages.ts";
import { ROOT } from "./run.ts";

for (const [file, text] of [
	["docs/errors.md", writeErrorsPage()],
	["docs/tools.md", writeToolsPage()],
] as const) {
	writeFileSync(join(ROOT, file), text);
	console.log(`wrote ${file}`);
}
