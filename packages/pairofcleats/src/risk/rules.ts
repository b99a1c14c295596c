/**
 * A pattern names code by its last words: `req.body` is a value, `eval()` a call, `*.innerHTML=` an assignment.
 * Without a dot a call must have no receiver; `*.` stands for any receiver.
 */
export type RiskPattern = string;

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export type RiskSource = {
	readonly name: string;
	readonly tags: readonly string[];
	readonly languages: readonly string[];
	readonly patterns: readonly RiskPattern[];
};
export type RiskSink = RiskSource & { readonly category: string; readonly severity: Severity };
/** What passes through it is no longer tainted. */
export type RiskSanitizer = Omit<RiskSource, "tags">;

export type RiskRules = {
	readonly sources: readonly RiskSource[];
	readonly sinks: readonly RiskSink[];
	readonly sanitizers: readonly RiskSanitizer[];
};

/** Languages that share their libraries. */
export const FAMILIES = {
	ecmascript: ["javascript", "typescript", "tsx"],
	jvm: ["java", "kotlin", "scala"],
	native: ["c", "cpp"],
} as const;
