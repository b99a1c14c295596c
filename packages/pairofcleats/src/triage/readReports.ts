import { CleatsError, describe } from "../contract/errors.ts";
import { isObject } from "../contract/isObject.ts";
import type { Raw } from "./fields.ts";

export type ScanReport =
	| { readonly index: number; readonly raw: Raw }
	| { readonly index: number; readonly problem: string };

/** Members that hold the list of findings in various scanners' exports. */
const LISTS = ["alerts", "findings", "records", "items", "results", "vulns"];
const MOST_REPORTS = 200_000;
/** If this many lines are invalid before the first valid one, the text is not JSON Lines. */
const MOST_BAD_LINES = 1_000;

/**
 * Reads a JSON array, an object that contains one, a single object, or JSON Lines. An invalid report becomes a problem
 * entry, not an error.
 */
export function readReports(text: string): ScanReport[] {
	let value: unknown;
	try {
		value = JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch (error) {
		const lines = goodLines(text);
		if (lines !== undefined) return lines;
		const why = error instanceof Error ? error.message : String(error);
		return [{ index: 0, problem: `expected JSON or JSON Lines, got text that is neither (${why})` }];
	}
	shortenTexts(value);
	const list = listOf(value);
	if (list.length > MOST_REPORTS) throw tooMany();
	return list.map((raw, index) => reportOf(raw, index));
}

function listOf(value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return value;
	if (!isObject(value)) return [value];
	for (const name of LISTS) {
		const list = value[name];
		// A SARIF log has its results inside its runs, so its reader takes the whole object.
		if (Array.isArray(list) && !("runs" in value)) return list;
	}
	return [value];
}

/** Returns `undefined` if no line is valid: for a truncated JSON file, one error per line would not help. */
function goodLines(text: string): ScanReport[] | undefined {
	const lines: ScanReport[] = [];
	let good = 0;
	for (const { line: _, ...report } of readLines(text)) {
		if ("raw" in report) {
			good += 1;
			shortenTexts(report.raw);
		}
		if (lines.push(report) > MOST_REPORTS) throw tooMany();
		if (good === 0 && lines.length > MOST_BAD_LINES) break;
	}
	return good === 0 ? undefined : lines;
}

/** The reports of JSON Lines with their lines, counted from 1; empty lines are none, and a byte order mark is skipped. */
export function* readLines(text: string): Generator<ScanReport & { readonly line: number }> {
	let [start, index, line, end] = [text.startsWith("\uFEFF") ? 1 : 0, 0, 1, 0];
	for (; end !== -1; start = end + 1, line++) {
		end = text.indexOf("\n", start);
		const written = text.slice(start, end === -1 ? text.length : end);
		if (written.trim() !== "") yield { ...readLine(written, index++), line };
	}
}

function readLine(line: string, index: number): ScanReport {
	try {
		return reportOf(JSON.parse(line), index);
	} catch (error) {
		return { index, problem: error instanceof Error ? error.message : "not JSON" };
	}
}

function reportOf(raw: unknown, index: number): ScanReport {
	return isObject(raw) ? { index, raw } : { index, problem: `expected an object, got ${describe(raw)}` };
}

function tooMany(): CleatsError {
	return new CleatsError("INVALID_REQUEST", `inputPath: expected a file of at most ${MOST_REPORTS} reports`, {
		field: "inputPath",
	});
}

const LONGEST = 16 * 1024;

/** Shortens every long text of a parsed report, because a rule's text is stored with each of its findings. */
function shortenTexts(report: unknown): void {
	const pending = [report];
	for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
		if (typeof value !== "object" || value === null) continue;
		const members = value as Record<string, unknown>;
		for (const [name, member] of Object.entries(members)) {
			if (typeof member === "object") pending.push(member);
			else if (typeof member === "string" && member.length > LONGEST) members[name] = `${member.slice(0, LONGEST)}…`;
		}
	}
}
