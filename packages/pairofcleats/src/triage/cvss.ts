/** What each value of a base metric weighs, by section 7.4 of the specification; for PR the second is for a changed scope. */
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

type Metric = keyof typeof WEIGHTS;

/**
 * The base score of a CVSS vector of version 3.0 or 3.1, by the equations of FIRST's specification (7.1). Nothing for another
 * version, whose scores are looked up in tables, and for a vector without all base metrics.
 */
export function cvssBaseScore(vector: string): number | undefined {
	const weights = weightsOf(vector);
	if (weights === undefined) return undefined;
	const { AV, AC, PR, UI, S, C, I, A } = weights;
	const subScore = 1 - (1 - C) * (1 - I) * (1 - A);
	const impact = S === 0 ? 6.42 * subScore : 7.52 * (subScore - 0.029) - 3.25 * (subScore - 0.02) ** 15;
	if (impact <= 0) return 0;
	const exploitability = 8.22 * AV * AC * PR * UI;
	return roundUp(Math.min((S === 0 ? 1 : 1.08) * (impact + exploitability), 10));
}

function weightsOf(vector: string): Readonly<Record<Metric, number>> | undefined {
	const [version = "", ...parts] = vector.trim().split("/");
	if (version !== "CVSS:3.0" && version !== "CVSS:3.1") return undefined;
	const values = new Map(parts.map((part): [string, string] => [part.split(":")[0] ?? "", part.split(":")[1] ?? ""]));
	// A metric that is there twice says two things.
	if (values.size !== parts.length) return undefined;
	const changed = values.get("S") === "C" ? 1 : 0;
	const weights: Partial<Record<Metric, number>> = {};
	for (const [metric, known] of Object.entries<Readonly<Record<string, number | readonly [number, number]>>>(WEIGHTS)) {
		const value = values.get(metric) ?? "";
		const weight = Object.hasOwn(known, value) ? known[value] : undefined;
		if (weight === undefined) return undefined;
		weights[metric as Metric] = typeof weight === "number" ? weight : weight[changed];
	}
	return weights as Record<Metric, number>;
}

/** To one place, upwards, and in whole numbers as appendix A has it: what floats add must not lift 8.6 to 8.7. */
function roundUp(score: number): number {
	const whole = Math.round(score * 100_000);
	return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}
