// Prints, per package, how many requirements the last full test run showed to hold, and which it did not.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.ts";

type Row = { readonly id: string; readonly package: string; readonly says: string };
type Manifest = { readonly finished: readonly string[]; readonly rows: readonly Row[] };
type Result = { readonly file: string; readonly name: string; readonly outcome: "pass" | "fail" | "skip" };

const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, "e2e/requirements.json"), "utf8"));
// What the protocol itself demands of servers and gateways; not of the specifications, so counted by itself.
const checklist: Pick<Manifest, "rows"> = JSON.parse(readFileSync(join(ROOT, "e2e/checklist.json"), "utf8"));
const verbose = process.argv.includes("--list");
const known = new Set([...manifest.rows, ...checklist.rows].map((row) => row.id));
const cited = citations(readResults());
const problems: string[] = [];

for (const [id, { files }] of cited) {
	if (!known.has(id)) problems.push(`unknown requirement ${id}, cited in ${[...files].join(", ")}`);
}
for (const name of [...new Set(manifest.rows.map((row) => row.package))]) {
	count(
		name,
		manifest.rows.filter((row) => row.package === name),
		manifest.finished.includes(name),
	);
}
count("MCP checklist", checklist.rows, true);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

function count(name: string, rows: readonly Row[], finished: boolean): void {
	const open = rows.filter((row) => !cited.get(row.id)?.passed);
	console.log(
		`${name.padEnd(14)} ${String(rows.length - open.length).padStart(4)} of ${rows.length} shown by a passing test`,
	);
	if (verbose || open.length <= 10) for (const row of open) console.log(`  open: ${row.id}  ${row.says}`);
	if (finished) for (const row of open) problems.push(`${name} is finished, yet no passing test cites ${row.id}`);
}

function readResults(): Result[] {
	const file = join(ROOT, ".cache/test-results.jsonl");
	if (!existsSync(file)) {
		console.error("No test results yet: run `npm test` first.");
		process.exit(1);
	}
	return readFileSync(file, "utf8")
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
}

function citations(results: readonly Result[]): Map<string, { passed: boolean; files: Set<string> }> {
	const found = new Map<string, { passed: boolean; files: Set<string> }>();
	for (const { file, name, outcome } of results) {
		for (const id of idsIn(name)) {
			const entry = found.get(id) ?? { passed: false, files: new Set() };
			entry.passed ||= outcome === "pass";
			entry.files.add(file);
			found.set(id, entry);
		}
	}
	return found;
}

/** The ids in the brackets at the end of a test's name; brackets with no known id are part of its sentence. */
function idsIn(name: string): readonly string[] {
	const ids = /\[([^\]]+)\]$/.exec(name)?.[1]?.split(" ") ?? [];
	return ids.some((id) => known.has(id) || /^(?:\d{3}|mcp)-/.test(id)) ? ids : [];
}
