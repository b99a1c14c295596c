import { CleatsError, invalidField } from "../contract/errors.ts";
import { isObject } from "../contract/isObject.ts";
import { eslintFindings } from "./eslintFindings.ts";
import type { Finding, ToolDiagnostic } from "./finding.ts";
import { pathInside } from "./pathInside.ts";
import { sarifFindings } from "./sarifFindings.ts";

export type LintFindings = {
	readonly format: "sarif" | "eslint";
	/** All tools in the report, even those without findings. */
	readonly tools: readonly string[];
	/** By path relative to the root, with forward slashes; each list by line. */
	readonly byPath: ReadonlyMap<string, readonly ToolDiagnostic[]>;
	readonly total: number;
	/** Number of findings outside the root or without a place; they are dropped. */
	readonly outside: number;
};

/** Reads a report in SARIF 2.1 or ESLint's JSON format. */
export function readLintReport(text: string, root: string): LintFindings {
	const report = parseJson(text);
	const { format, tools, findings } = findingsOf(report);
	const byPath = new Map<string, ToolDiagnostic[]>();
	let outside = 0;
	for (const { places, line, tool, ...said } of findings) {
		const diagnostic = { line, tool, rule: cut(said.rule, LONGEST_RULE), message: cut(said.message, LONGEST_MESSAGE) };
		const path = pathInside(root, places);
		if (path === undefined) {
			outside += 1;
			continue;
		}
		const known = byPath.get(path);
		if (known) known.push(diagnostic);
		else byPath.set(path, [diagnostic]);
	}
	for (const list of byPath.values())
		list.sort((a, b) => a.line - b.line || (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0));
	return { format, tools, byPath, total: findings.length, outside };
}

/** Limited, because a rule's text is stored with each of its findings and shown with each of their hits. */
const LONGEST_MESSAGE = 2_000;
const LONGEST_RULE = 200;

function cut(text: string, longest: number): string {
	return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function findingsOf(report: unknown): Pick<LintFindings, "format" | "tools"> & { findings: Finding[] } {
	if (Array.isArray(report)) return { format: "eslint", tools: ["eslint"], findings: eslintFindings(report) };
	if (isObject(report) && Array.isArray(report.runs)) return { format: "sarif", ...sarifFindings(report.runs) };
	throw invalidField("report", "a SARIF log with a `runs` array, or ESLint's array of results", report);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new CleatsError(
			"INVALID_REQUEST",
			`report: expected JSON, got text that is not (${why})`,
			{ field: "report" },
			{ cause: error },
		);
	}
}
