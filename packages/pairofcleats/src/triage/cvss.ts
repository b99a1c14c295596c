import { MACROVECTOR_TENTHS } from "./cvss4Scores.ts";

/**
 * The score of a CVSS vector, or the reason why it cannot be scored. For versions 2.0, 3.0 and 3.1 this is the base
 * score; 4.0 includes all metrics.
 */
export function scoreCvss(vector: string): number | BadVector {
	const version = readCvssVersion(vector);
	if (version === undefined)
		return new BadVector(`only CVSS 2.0, 3.0, 3.1 and 4.0 are scored, got ${vector.slice(0, 40)}`);
	try {
		return SCORES[version](readMetrics(vector.trim().replace(PREFIX, "").split("/")));
	} catch (error) {
		if (error instanceof BadVector) return new BadVector(`CVSS:${version}: ${error.message}`);
		throw error;
	}
}

/** Version 2.0 has no prefix, but only it has the metric `Au`. */
export function readCvssVersion(vector: string): CvssVersion | undefined {
	const version = PREFIX.exec(vector.trim())?.[1] ?? (/^(?:\w+:\w+\/)*Au:/.test(vector.trim()) ? "2.0" : "");
	return Object.hasOwn(SCORES, version) ? (version as CvssVersion) : undefined;
}

const PREFIX = /^CVSS:([^/]*)\//;

const SCORES = { "2.0": scoreCvss2, "3.0": scoreCvss3, "3.1": scoreCvss3, "4.0": scoreCvss4 } as const;
export type CvssVersion = keyof typeof SCORES;

/** The weight of each value of a base metric, from section 3.2.1 of the specification. */
const WEIGHTS_2 = {
	AV: { L: 0.395, A: 0.646, N: 1 },
	AC: { H: 0.35, M: 0.61, L: 0.71 },
	Au: { M: 0.45, S: 0.56, N: 0.704 },
	C: { N: 0, P: 0.275, C: 0.66 },
	I: { N: 0, P: 0.275, C: 0.66 },
	A: { N: 0, P: 0.275, C: 0.66 },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

/** The base score of version 2.0. */
function scoreCvss2(metrics: Metrics): number {
	const weigh = (name: keyof typeof WEIGHTS_2): number => {
		const known: Readonly<Record<string, number>> = WEIGHTS_2[name];
		return known[readMetric(metrics, name, Object.keys(known))] ?? 0;
	};
	const impact = 10.41 * (1 - (1 - weigh("C")) * (1 - weigh("I")) * (1 - weigh("A")));
	const exploitability = 20 * weigh("AV") * weigh("AC") * weigh("Au");
	if (impact === 0) return 0;
	return Math.round((0.6 * impact + 0.4 * exploitability - 1.5) * 1.176 * 10) / 10;
}

/**
 * The weight of each value of a base metric, from section 7.4 of the specification. For PR, the second weight is for a
 * changed scope.
 */
const WEIGHTS_3 = {
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
function scoreCvss3(metrics: Metrics): number {
	const weigh = (name: keyof typeof WEIGHTS_3, changed = 0): number => {
		const known: Readonly<Record<string, number | readonly number[]>> = WEIGHTS_3[name];
		const weight = known[readMetric(metrics, name, Object.keys(known))];
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

/** The base metrics with their values, most severe first. S (safety) is allowed only in environmental metrics. */
const BASE = {
	AV: "NALP",
	AC: "LH",
	AT: "NP",
	PR: "NLH",
	UI: "NPA",
	VC: "HLN",
	VI: "HLN",
	VA: "HLN",
	SC: "HLN",
	SI: "SHLN",
	SA: "SHLN",
} as const;

/** An undefined metric counts as its worst value, which comes first. */
const ASSUMED = { E: "APU", CR: "HML", IR: "HML", AR: "HML" } as const;

const SEVERITY = { ...BASE, ...ASSUMED } as const;
type Metric = keyof typeof SEVERITY;

/** These describe a vulnerability but do not affect its score. */
const SUPPLEMENTAL: Readonly<Record<string, readonly string[]>> = {
	S: ["X", "N", "P"],
	AU: ["X", "N", "Y"],
	R: ["X", "A", "U", "I"],
	V: ["X", "D", "C"],
	RE: ["X", "L", "M", "H"],
	U: ["X", "Clear", "Green", "Amber", "Red"],
};

/**
 * For each equivalence class: its metrics, the worst combinations at each level, and the number of steps within that
 * level. EQ3 and EQ6 share metrics, so they are combined; their levels are 00, 01, 10, 11 and 21.
 */
const CLASSES = [
	{ metrics: ["AV", "PR", "UI"], worst: [["NNN"], ["ANN", "NLN", "NNP"], ["PNN", "ALP"]], steps: [1, 4, 5] },
	{ metrics: ["AC", "AT"], worst: [["LN"], ["HN", "LP"]], steps: [1, 2] },
	{
		metrics: ["VC", "VI", "VA", "CR", "IR", "AR"],
		worst: [
			["HHHHHH"],
			["HHLMMH", "HHHMMM"],
			["LHHHHH", "HLHHHH"],
			["LHLHMH", "LHHHMM", "HLHMHM", "HLLMHH", "LLHHHM"],
			["LLLHHH"],
		],
		steps: [7, 6, 8, 8, 10],
	},
	{ metrics: ["SC", "SI", "SA"], worst: [["HSS"], ["HHH"], ["LLL"]], steps: [6, 5, 4] },
	{ metrics: ["E"], worst: [["A"], ["P"], ["U"]], steps: [1, 1, 1] },
] as const satisfies readonly {
	metrics: readonly Metric[];
	worst: readonly (readonly string[])[];
	steps: readonly number[];
}[];

/** The next lower levels for each combined level of EQ3 and EQ6. For any other class it is simply the next level. */
const BELOW = [[1, 2], [3], [3], [4], []] as const;

/**
 * The score of version 4.0, including the threat and environmental metrics, by section 8 of FIRST's specification: the
 * score of the worst vector with the same levels, minus the mean of the proportional distances to the next lower
 * levels.
 */
function scoreCvss4(metrics: Metrics): number {
	const values = effective(metrics);
	if (["VC", "VI", "VA", "SC", "SI", "SA"].every((metric) => values[metric as Metric] === "N")) return 0;
	const levels = levelsOf(values);
	const worst = tenths(levels) ?? 0;
	const ways = CLASSES.flatMap((kind, at) => {
		const level = levels[at] ?? 0;
		const below = at === 2 ? (BELOW[level] ?? []) : [level + 1];
		const next = below.flatMap((lower) => tenths(levels.with(at, lower)) ?? []);
		const steps = kind.steps[level] ?? 1;
		return next.length === 0 ? [] : [((worst - Math.max(...next)) * stepsFromWorst(values, kind, level)) / steps];
	});
	const mean = ways.length === 0 ? 0 : ways.reduce((sum, way) => sum + way, 0) / ways.length;
	// A floating-point error must not round 8.65 to 8.6 instead of 8.7.
	return Math.round(worst - mean + 1e-6) / 10;
}

type Values = Readonly<Record<Metric, string>>;

/** The effective value of each metric: the environmental one, else the base one, else the worst. */
function effective(metrics: Metrics): Values {
	const known = new Set(Object.keys(SUPPLEMENTAL));
	const optional = (name: string, values: Iterable<string>): string => {
		known.add(name);
		return metrics.has(name) ? readMetric(metrics, name, ["X", ...values]) : "X";
	};
	for (const [name, values] of Object.entries(SUPPLEMENTAL)) optional(name, values.slice(1));
	const values: Record<string, string> = {};
	for (const [name, severity] of Object.entries(BASE)) {
		known.add(name);
		const own = readMetric(
			metrics,
			name,
			[...severity].filter((value) => value !== "S"),
		);
		const modified = optional(`M${name}`, severity);
		values[name] = modified === "X" ? own : modified;
	}
	for (const [name, severity] of Object.entries(ASSUMED)) {
		const said = optional(name, severity);
		values[name] = said === "X" ? severity.charAt(0) : said;
	}
	for (const name of metrics.keys())
		if (!known.has(name)) throw new BadVector(`${name.slice(0, 20)}: expected a metric of this version`);
	return values as Values;
}

/** The levels of EQ1, EQ2, EQ3 with EQ6, EQ4 and EQ5, as tables 24 to 29 define them. */
function levelsOf({ AV, AC, AT, PR, UI, VC, VI, VA, SC, SI, SA, E, CR, IR, AR }: Values): number[] {
	const open = [AV, PR, UI].filter((value) => value === "N").length;
	const eq1 = open === 3 ? 0 : open > 0 && AV !== "P" ? 1 : 2;
	const eq2 = AC === "L" && AT === "N" ? 0 : 1;
	const eq3 = VC === "H" && VI === "H" ? 0 : [VC, VI, VA].includes("H") ? 1 : 2;
	const required = [VC + CR, VI + IR, VA + AR].includes("HH");
	const eq4 = SI === "S" || SA === "S" ? 0 : [SC, SI, SA].includes("H") ? 1 : 2;
	return [eq1, eq2, eq3 === 2 ? 4 : eq3 * 2 + (required ? 0 : 1), eq4, SEVERITY.E.indexOf(E)];
}

/** The score of a level's worst vector, in tenths; `undefined` if there is no such level. */
function tenths([eq1 = 0, eq2 = 0, eq36 = 0, eq4 = 0, eq5 = 0]: readonly number[]): number | undefined {
	if (eq1 > 2 || eq2 > 1 || eq4 > 2 || eq5 > 2) return undefined;
	return MACROVECTOR_TENTHS[(eq1 * 2 + eq2) * 5 + eq36]?.[eq4 * 3 + eq5];
}

/** How many steps a vector is below the first worst vector of its level that is at least as severe in every metric. */
function stepsFromWorst(values: Values, kind: (typeof CLASSES)[number], level: number): number {
	for (const worst of kind.worst[level] ?? []) {
		const steps = kind.metrics.map(
			(metric, at) => SEVERITY[metric].indexOf(values[metric]) - SEVERITY[metric].indexOf(worst.charAt(at)),
		);
		if (steps.every((step) => step >= 0)) return steps.reduce((sum, step) => sum + step, 0);
	}
	return 0;
}

/** The metrics of a CVSS vector, as written. */
type Metrics = ReadonlyMap<string, string>;

/** Why a vector has no score; the message names the metric. */
export class BadVector extends Error {}

/** Reads the metrics after the version. A repeated metric is an error. */
function readMetrics(parts: readonly string[]): Metrics {
	const metrics = new Map<string, string>();
	for (const part of parts) {
		const [name = "", value = ""] = part.split(":");
		if (metrics.has(name)) throw new BadVector(`${name}: expected once, got twice`);
		metrics.set(name, value);
	}
	return metrics;
}

/** The value of a metric; throws if it is missing or unknown. */
function readMetric(metrics: Metrics, name: string, known: readonly string[]): string {
	const value = metrics.get(name);
	if (value !== undefined && known.includes(value)) return value;
	throw new BadVector(`${name}: expected ${known.join(", ")}, got ${value?.slice(0, 20) || "nothing"}`);
}
