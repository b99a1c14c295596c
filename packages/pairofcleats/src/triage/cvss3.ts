import { type Metrics, metricOf } from "./cvssVector.ts";

/**
 * The weight of each value of a base metric, from section 7.4 of the specification. For PR, the second weight is for a
 * changed scope.
 */
const WEIGHTS = {
	AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
	AC: { L: 0.77, H: 0.44 },
	PR: { N: [0.85, 0.85], L: [0.62, 0.68], H: [0.27, 0.5] },
	UI: { N: 0.85, R: 0.62 },
	S: { U: 0, C: 1 },
	C: { H: 0.56, L: 0.22, N: 0 },
	I: { H: 0.56, L: 0.22, N: 0 },
	A: { H: 0.56, L: 0.22, N: 0 },
} as const satisfies Record<string, Readonly<Record<string, number | readonly [number, number]>>>;

/** The base score of version 3.0 or 3.1, by the equations of FIRST's specification (7.1). */
export function cvss3Score(metrics: Metrics): number {
	const weigh = (name: keyof typeof WEIGHTS, changed = 0): number => {
		const known: Readonly<Record<string, number | readonly number[]>> = WEIGHTS[name];
		const weight = known[metricOf(metrics, name, Object.keys(known))];
		return typeof weight === "number" ? weight : (weight?.[changed] ?? 0);
	};
	const S = weigh("S");
	const exploitability = 8.22 * weigh("AV") * weigh("AC") * weigh("PR", S) * weigh("UI");
	const subScore = 1 - (1 - weigh("C")) * (1 - weigh("I")) * (1 - weigh("A"));
	const impact = S === 0 ? 6.42 * subScore : 7.52 * (subScore - 0.029) - 3.25 * (subScore - 0.02) ** 15;
	if (impact <= 0) return 0;
	return roundUp(Math.min((S === 0 ? 1 : 1.08) * (impact + exploitability), 10));
}

/**
 * Rounds up to one decimal place. Uses integers, as in appendix A, so that a floating-point error does not turn 8.6
 * into 8.7.
 */
function roundUp(score: number): number {
	const whole = Math.round(score * 100_000);
	return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}
