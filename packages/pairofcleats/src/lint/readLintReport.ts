import { CleatsError, invalidField } from "../contract/errors.ts";
import { isObject } from "../contract/isObject.ts";
import type { Diagnostic } from "../parse/chunk.ts";
import { findPathInside } from "./pathInside.ts";
import { readSarifRun } from "./sarifResults.ts";

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
		const path = findPathInside(root, places);
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
	if (Array.isArray(report)) return { format: "eslint", tools: ["eslint"], findings: readEslintFindings(report) };
	if (isObject(report) && Array.isArray(report.runs)) return { format: "sarif", ...readSarifFindings(report.runs) };
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

/** Reads ESLint's `json` format: one result per file with its messages. */
function readEslintFindings(results: readonly unknown[]): Finding[] {
	return results.flatMap((result, index) => {
		if (!isObject(result) || typeof result.filePath !== "string") {
			throw invalidField(`report[${index}].filePath`, "a path", isObject(result) ? result.filePath : result);
		}
		if (!Array.isArray(result.messages)) throw invalidField(`report[${index}].messages`, "an array", result.messages);
		const places = [result.filePath];
		return result.messages.map((message: unknown, at): Finding => {
			if (!isObject(message)) throw invalidField(`report[${index}].messages[${at}]`, "an object", message);
			const { line, ruleId, message: text } = message;
			return {
				tool: "eslint",
				places,
				line: typeof line === "number" && line >= 1 ? Math.floor(line) : 1,
				rule: typeof ruleId === "string" ? ruleId : "parse-error",
				message: typeof text === "string" ? text : "",
			};
		});
	});
}

/**
 * The results of all runs of a SARIF log, at the first location of each. Skips suppressed, absent and passed results.
 */
function readSarifFindings(runs: readonly unknown[]): { tools: readonly string[]; findings: Finding[] } {
	const read = runs.map((run, index) => readSarifRun(run, `report.runs[${index}]`));
	return {
		tools: [...new Set(read.map(({ tool }) => tool.toLowerCase()))],
		findings: read.flatMap(({ tool, results }) =>
			results
				.filter(({ moot }) => moot === undefined)
				.map(({ places, line = 1, ruleId = "finding", message }) => ({
					tool: tool.toLowerCase(),
					places,
					line,
					rule: ruleId,
					message,
				})),
		),
	};
}

type ToolDiagnostic = Diagnostic & { readonly tool: string };

/** A finding as reported. A place is a path or a `file:` URL; the first place inside the root is used. */
type Finding = ToolDiagnostic & { readonly places: readonly string[] };
