import { isObject } from "../../contract/isObject.ts";
import { readSarifRun, type SarifResult } from "../../lint/sarifResults.ts";
import { BadReport, type Draft, type Relocate } from "../draft.ts";
import { dropAbsent, type Raw, readList, readNumber, readText, readTexts } from "../fields.ts";
import { rateFinding, rateScore } from "../rating.ts";

/** Reads a SARIF log: one draft per result, at its first location. */
export function* readSarif(raw: Raw, place: Relocate): Generator<Draft> {
	const runs = readList(raw, "runs");
	if (!Array.isArray(raw.runs)) throw new BadReport("runs: expected a list of runs, got none");
	const results = runs.flatMap((run, index) => readSarifRun(run, `runs[${index}]`).results);
	for (const result of results) yield draft(result, place);
}

function draft({ tool, ruleId, rule, message, places, line, moot, raw }: SarifResult, place: Relocate): Draft {
	const path = places.length === 0 ? undefined : place(...places);
	const says = message || ruleId || tool;
	const print = printOf(raw);
	const advisory = ADVISORY.exec(ruleId ?? "")?.[0].toUpperCase();
	const identity = [tool, ruleId ?? "", path];
	const placed = [...identity, print ?? String(line ?? ""), says];
	// Such a finding is about a package, which the message names; its line in a lock file changes with every update.
	const isOfPackage = advisory !== undefined && print === undefined;
	const score = readNumber(raw, "properties.security-severity") ?? readNumber(rule, "properties.security-severity");
	// A result without a level inherits its rule's level, else the format's default.
	const level = readText(raw, "level") ?? readText(rule, "defaultConfiguration.level") ?? "warning";
	return {
		...(isOfPackage ? { key: [...identity, says], formerKey: placed } : { key: placed }),
		repeats: isOfPackage ? "details" : "order",
		vuln: {
			vulnId: ruleId === undefined ? tool : `${tool}/${ruleId}`,
			title: titleOf(says, ruleId, readText(rule, "shortDescription.text"), advisory !== undefined),
			severity: score === undefined || score <= 0 ? rateFinding([level]).severity : rateScore(score),
			...dropAbsent({
				cve: advisory?.startsWith("CVE-") ? advisory : undefined,
				description: readText(rule, "fullDescription.text"),
				cwe: readTexts(rule, "properties.tags")
					.flatMap((tag) => /\bcwe-(\d{1,9})(?:$|\W)/i.exec(tag)?.[1] ?? [])
					.map((number) => `CWE-${Number(number)}`),
				references: [readText(rule, "helpUri")].filter((uri) => uri !== undefined),
			}),
		},
		...(path !== undefined && { location: { path, ...dropAbsent({ startLine: line }) } }),
		...(moot !== undefined && { settled: moot }),
		...(print === undefined &&
			!isOfPackage &&
			line !== undefined && { warnings: ["it has no fingerprint; on another line it is another finding"] }),
	};
}

/** Rules that are advisories: scanners of packages name them so, some with the package behind. */
const ADVISORY = /^(?:CVE-\d{4}-\d{4,19}|GHSA(?:-\w{4}){3})/i;

/** One line. A message of several, or one about an advisory, begins with what all findings of a package have in common. */
function titleOf(says: string, ruleId: string | undefined, about: string | undefined, isAdvisory: boolean): string {
	const [first = "", ...more] = says.split("\n");
	const named = about?.split("\n")[0];
	const title = named !== undefined && (isAdvisory || more.length > 0) ? `${ruleId}: ${named}` : first;
	// Links to the result's related locations, which no list shows.
	return title.replace(/\[([^\]]+)\]\(\d+\)/g, "$1");
}

/** A fingerprint that survives moved lines: the tool's own, else the source text of the result. */
function printOf(raw: Raw): string | undefined {
	const partial = raw.partialFingerprints;
	return (
		firstOf(raw.fingerprints) ??
		readText(partial, "primaryLocationLineHash") ??
		firstOf(partial) ??
		readText(readList(raw, "locations")[0], "physicalLocation.region.snippet.text")
	);
}

/** Semgrep writes "requires login" in place of a fingerprint. */
function firstOf(prints: unknown): string | undefined {
	const made = isObject(prints) ? Object.entries(prints).sort() : [];
	return made.map(([, print]) => String(print)).find((print) => /^\S+$/.test(print));
}
