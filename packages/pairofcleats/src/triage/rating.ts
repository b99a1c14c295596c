import { SEVERITIES, type Severity, type Vulnerability } from "../records/record.ts";
import { type CvssVersion, cvssScore, cvssVersion } from "./cvss.ts";
import { BadVector } from "./cvssVector.ts";
import { present } from "./fields.ts";

type Rating = Pick<Vulnerability, "severity" | "cvss"> & { readonly warnings: readonly string[] };

/** A CVSS vector of a report, and the score it writes next to it. */
type Rated = { readonly vector?: string | undefined; readonly score?: number | undefined };

/** The severity of a report: its first known severity word, else from its score, else from its CVSS vector. */
export function rate(words: readonly unknown[], rated: readonly Rated[] = [], main: Rated = {}): Rating {
	const { vector, score, scored } = chosenOf(rated, main);
	const known = score ?? (typeof scored === "number" ? scored : undefined);
	const said = words.map(severity).find((word) => word !== "unknown");
	const cvss = present({ score: known, vector });
	const fault = said === undefined && known === undefined && scored;
	return {
		severity: said ?? (known === undefined ? "unknown" : severityOf(known, cvssVersion(vector ?? ""))),
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
		.sort((a, b) => Number(cvssVersion(b.vector ?? "")) - Number(cvssVersion(a.vector ?? "")));
	const found =
		(main.score !== undefined && newest.find(({ scored }) => scored === main.score)) ||
		(newest[0] ?? all.find(({ score }) => score !== undefined) ?? all.find(({ vector }) => vector !== undefined));
	return { ...found, ...(main.score !== undefined && { score: main.score }) };
}

type Scored = Rated & { readonly scored?: number | BadVector };

function scoredOf(one: Rated): Scored {
	return one.vector === undefined ? one : { ...one, scored: cvssScore(one.vector) };
}

/** The specification's ratings, except that `none` counts as low. Version 2.0 has no critical rating. */
export function severityOf(score: number, version?: CvssVersion): Severity {
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

export function severity(value: unknown): Severity {
	const word = String(value ?? "").toLowerCase();
	return (
		SEVERITIES.find((known) => known === word) ?? (Object.hasOwn(SAME, word) ? SAME[word] : undefined) ?? "unknown"
	);
}
