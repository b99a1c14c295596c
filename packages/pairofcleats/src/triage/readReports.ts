import { isRaw, type Raw } from "./fields.ts";

export type Report =
	| { readonly index: number; readonly raw: Raw }
	| { readonly index: number; readonly problem: string };

/** Members that hold the list in one scanner's export or another's. */
const LISTS = ["alerts", "findings", "records", "items", "results", "vulns"];

/** The reports of a file: a JSON list, an object around one, a single object, or JSON Lines. A bad one is named, not fatal. */
export function readReports(text: string): Report[] {
	let value: unknown;
	try {
		value = JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch (error) {
		const lines = readLines(text);
		// Not one good line: a whole that is cut off, and what is wrong with each of its lines helps nobody.
		if (lines.some((line) => "raw" in line)) return lines;
		const why = error instanceof Error ? error.message : String(error);
		return [{ index: 0, problem: `expected JSON or JSON Lines, got text that is neither (${why})` }];
	}
	return listOf(value).map((raw, index) =>
		isRaw(raw) ? { index, raw } : { index, problem: `expected an object, got ${shown(raw)}` },
	);
}

function listOf(value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return value;
	if (!isRaw(value)) return [value];
	for (const name of LISTS) {
		const list = value[name];
		// A SARIF run and an OSV scan have results of their own inside; those readers take the whole object.
		if (Array.isArray(list) && !("runs" in value)) return list;
	}
	return [value];
}

/** The reports of JSON Lines; empty lines count for nothing. */
export function readLines(text: string): Report[] {
	const reports: Report[] = [];
	for (const line of text.split("\n")) {
		if (line.trim() === "") continue;
		const index = reports.length;
		try {
			const raw: unknown = JSON.parse(line);
			reports.push(isRaw(raw) ? { index, raw } : { index, problem: `expected an object, got ${shown(raw)}` });
		} catch (error) {
			reports.push({ index, problem: error instanceof Error ? error.message : "not JSON" });
		}
	}
	return reports;
}

function shown(value: unknown): string {
	return JSON.stringify(value).slice(0, 60);
}
