import { isObject } from "../../contract/isObject.ts";
import { readSarifRun, type SarifResult } from "../../lint/sarifResults.ts";
import { BadReport, type Draft, type Relocate } from "../draft.ts";
import { listAt, numberAt, present, type Raw, textAt, textsAt } from "../fields.ts";
import { rate, severityOf } from "../rating.ts";

/** Reads a SARIF log: one draft per result, at its first location. */
export function* sarif(raw: Raw, place: Relocate): Generator<Draft> {
	const runs = listAt(raw, "runs");
	if (!Array.isArray(raw.runs)) throw new BadReport("runs: expected a list of runs, got none");
	const results = runs.flatMap((run, index) => readSarifRun(run, `runs[${index}]`).results);
	for (const result of results) yield draft(result, place);
}

function draft({ tool, ruleId, rule, message, places, line, moot, raw }: SarifResult, place: Relocate): Draft {
	const path = places.length === 0 ? undefined : place(...places);
	const title = message || ruleId || tool;
	const print = printOf(raw);
	const score = numberAt(raw, "properties.security-severity") ?? numberAt(rule, "properties.security-severity");
	// A result without a level inherits its rule's level, else the format's default.
	const level = textAt(raw, "level") ?? textAt(rule, "defaultConfiguration.level") ?? "warning";
	return {
		key: [tool, ruleId ?? "", path, print ?? String(line ?? ""), title],
		repeats: "order",
		vuln: {
			vulnId: ruleId === undefined ? tool : `${tool}/${ruleId}`,
			title: title.split("\n")[0] ?? title,
			severity: score === undefined || score <= 0 ? rate([level]).severity : severityOf(score),
			...present({
				description: textAt(rule, "fullDescription.text"),
				cwe: textsAt(rule, "properties.tags")
					.flatMap((tag) => /\bcwe-(\d{1,9})$/i.exec(tag)?.[1] ?? [])
					.map((number) => `CWE-${Number(number)}`),
				references: [textAt(rule, "helpUri")].filter((uri) => uri !== undefined),
			}),
		},
		...(path !== undefined && { location: { path, ...present({ startLine: line }) } }),
		...(moot !== undefined && { settled: moot }),
		...(print === undefined &&
			line !== undefined && { warnings: ["it has no fingerprint; on another line it is another finding"] }),
	};
}

/** A fingerprint that survives moved lines: the tool's own, else the source text of the result. */
function printOf(raw: Raw): string | undefined {
	const partial = raw.partialFingerprints;
	return (
		firstOf(raw.fingerprints) ??
		textAt(partial, "primaryLocationLineHash") ??
		firstOf(partial) ??
		textAt(listAt(raw, "locations")[0], "physicalLocation.region.snippet.text")
	);
}

/** Semgrep writes "requires login" in place of a fingerprint. */
function firstOf(prints: unknown): string | undefined {
	const made = isObject(prints) ? Object.entries(prints).sort() : [];
	return made.map(([, print]) => String(print)).find((print) => /^\S+$/.test(print));
}
