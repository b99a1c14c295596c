// `npm run dev` compiles and tests what is being edited: at each saved file the tests of its folder, or those given by
// path or glob. Ends with Ctrl+C.
import { globSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, run } from "./run.ts";
import { exitIfUnmatched } from "./unmatched.ts";

const chosen = process.argv.slice(2);
exitIfUnmatched(chosen);
/** Editors write a file more than once. */
const SETTLE_MS = 60;

const edited = new Set<string>();
let timer: NodeJS.Timeout | undefined;

for (const folder of ["packages", "e2e", "scripts"])
	watch(join(ROOT, folder), { recursive: true }, (_event, name) => {
		const file = `${folder}/${name}`;
		if (!/\.tsx?$/.test(file) || /(?:^|\/)(?:dist|node_modules)\//.test(file)) return;
		edited.add(file);
		clearTimeout(timer);
		timer = setTimeout(testEdited, SETTLE_MS);
	});
console.log(
	`waiting for edits; runs ${chosen.length > 0 ? chosen.join(", ") : "the tests of the folder of each file"}`,
);

function testEdited(): void {
	const files = [...edited];
	edited.clear();
	const started = performance.now();
	const tests = chosen.length > 0 ? chosen : [...new Set(files.flatMap(testsOf))];
	console.log(`\n— ${files.join(", ")}`);
	if (run("node", ["scripts/build.ts", "--types"]) !== 0) return;
	if (tests.length === 0) console.log("compiled; no test stands in a folder of that name");
	else run("node", ["scripts/test.ts", ...tests]);
	console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** A test is its own; a source has the tests of the folder that mirrors its own, or of the nearest one above it. */
function testsOf(file: string): string[] {
	if (file.endsWith(".test.ts")) return [file];
	const mirrored = file.replace("/src/", "/test/");
	for (let folder = dirname(mirrored); folder.includes("/test"); folder = dirname(folder)) {
		const found = globSync(`${folder}/*.test.ts`, { cwd: ROOT });
		if (found.length > 0) return found;
	}
	return [];
}
