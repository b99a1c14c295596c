import { cvssScore } from "./cvss.ts";
import { BadVector } from "./cvssVector.ts";
import { present } from "./fields.ts";
import { SEVERITIES, type Severity, type Vulnerability } from "./record.ts";

type Rating = Pick<Vulnerability, "severity" | "cvss"> & { readonly warnings: readonly string[] };

/** The severity of a report: its first known severity word, else from its score, else from its CVSS vector. */
export function rate(
	words: readonly unknown[],
	score: number | undefined,
	given: readonly (string | undefined)[] = [],
): Rating {
	const vectors = given.filter((one) => one !== undefined).map((vector) => ({ vector, scored: cvssScore(vector) }));
	const chosen = vectors.find(({ scored }) => typeof scored === "number") ?? vectors[0];
	const known = score ?? (typeof chosen?.scored === "number" ? chosen.scored : undefined);
	const said = words.map(severity).find((word) => word !== "unknown");
	const cvss = present({ score: known, vector: chosen?.vector });
	const fault = said === undefined && known === undefined && chosen?.scored;
	return {
		severity: said ?? (known === undefined ? "unknown" : severityOf(known)),
		...(Object.keys(cvss).length > 0 && { cvss }),
		warnings: fault instanceof BadVector ? [`severity: ${fault.message}`] : [],
	};
}

/** The specification's ratings; what it calls none is as low as we go. */
export function severityOf(score: number): Severity {
	return score >= 9 ? "critical" : score >= 7 ? "high" : score >= 4 ? "medium" : "low";
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
