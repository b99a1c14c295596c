import { type Metrics, metricOf } from "./cvssVector.ts";

/** The weight of each value of a base metric, from section 3.2.1 of the specification. */
const WEIGHTS = {
	AV: { L: 0.395, A: 0.646, N: 1 },
	AC: { H: 0.35, M: 0.61, L: 0.71 },
	Au: { M: 0.45, S: 0.56, N: 0.704 },
	C: { N: 0, P: 0.275, C: 0.66 },
	I: { N: 0, P: 0.275, C: 0.66 },
	A: { N: 0, P: 0.275, C: 0.66 },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

/** The base score of version 2.0. */
export function cvss2Score(metrics: Metrics): number {
	const weigh = (name: keyof typeof WEIGHTS): number => {
		const known: Readonly<Record<string, number>> = WEIGHTS[name];
		return known[metricOf(metrics, name, Object.keys(known))] ?? 0;
	};
	const impact = 10.41 * (1 - (1 - weigh("C")) * (1 - weigh("I")) * (1 - weigh("A")));
	const exploitability = 20 * weigh("AV") * weigh("AC") * weigh("Au");
	if (impact === 0) return 0;
	return Math.round((0.6 * impact + 0.4 * exploitability - 1.5) * 1.176 * 10) / 10;
}
