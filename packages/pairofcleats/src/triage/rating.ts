import { SEVERITIES, type Severity, type Vulnerability } from "../records/record.ts";
import { BadVector, type CvssVersion, readCvssVersion, scoreCvss } from "./cvss.ts";
import { dropAbsent } from "./fields.ts";

type Rating = Pick<Vulnerability, "severity" | "cvss"> & { readonly warnings: readonly string[] };

/** A CVSS vector of a report, and the score it writes next to it. */
type Rated = { readonly vector?: string | undefined; readonly score?: number | undefined };

/** The severity of a report: its first known severity word, else from its score, else from its CVSS vector. */
export function rateFinding(words: readonly unknown[], rated: readonly Rated[] = [], main: Rated = {}): Rating {
	const { vector, score, scored } = chosenOf(rated, main);
	const known = score ?? (typeof scored === "number" ? scored : undefined);
	const said = words.map(readSeverity).find((word) => word !== "unknown");
	const cvss = dropAbsent({ score: known, vector });
	const fault = said === undefined && known === undefined && scored;
	return {
		severity: said ?? (known === undefined ? "unknown" : rateScore(known, readCvssVersion(vector ?? ""))),
		...(Object.keys(cvss).length > 0 && { cvss }),
		warnings: fault instanceof BadVector ? [`severity: ${fault.message}`] : [],
	};
}

/** Prefers the report's own score and the vector that matches it; otherwise the newest version that can be scored. */
function chosenOf(rated: readonly Rated[], main: Rated): Scored {
	if (main.vector !== undefined) return scoredOf(main);
	const all = rated.map(scoredOf);
	const newest = all
		.filter(({ scored }) => typeof scored === "number")
		.sort((a, b) => Number(readCvssVersion(b.vector ?? "")) - Number(readCvssVersion(a.vector ?? "")));
	const found =
		(main.score !== undefined && newest.find(({ scored }) => scored === main.score)) ||
		(newest[0] ?? all.find(({ score }) => score !== undefined) ?? all.find(({ vector }) => vector !== undefined));
	return { ...found, ...(main.score !== undefined && { score: main.score }) };
}

type Scored = Rated & { readonly scored?: number | BadVector };

function scoredOf(one: Rated): Scored {
	return one.vector === undefined ? one : { ...one, scored: scoreCvss(one.vector) };
}

/** The specification's ratings, except that `none` counts as low. Version 2.0 has no critical rating. */
export function rateScore(score: number, version?: CvssVersion): Severity {
	return score >= 9 && version !== "2.0" ? "critical" : score >= 7 ? "high" : score >= 4 ? "medium" : "low";
}

const SAME: Readonly<Record<string, Severity>> = {
	moderate: "medium",
	error: "high",
	warning: "medium",
	note: "low",
	informational: "low",
	info: "low",
	negligible: "low",
	important: "high",
};

function readSeverity(value: unknown): Severity {
	const word = String(value ?? "").toLowerCase();
	return (
		SEVERITIES.find((known) => known === word) ?? (Object.hasOwn(SAME, word) ? SAME[word] : undefined) ?? "unknown"
	);
}

type States = { readonly open: readonly string[]; readonly settled: readonly string[] };

/** Whether a reported state means that no action is needed. A state that nobody knows counts as open. */
export function readState(
	field: string,
	said: string | undefined,
	{ open, settled }: States,
): { readonly settled?: string; readonly warnings: readonly string[] } {
	const state = said?.toLowerCase() ?? "";
	if (settled.includes(state)) return { settled: state, warnings: [] };
	if (state === "" || open.includes(state)) return { warnings: [] };
	const known = [...open, ...settled].join(", ");
	return { warnings: [`${field}: expected ${known}, got ${JSON.stringify(state.slice(0, 40))}; it counts as open`] };
}
