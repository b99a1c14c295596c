/**
 * A pattern names code by its last words: `req.body` is a value, `eval()` a call, `*.innerHTML=` an assignment,
 * `@Body` a decorator of a parameter.
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
	/** The call gives its input by what it is passed: `fgets(line, …)`. */
	readonly fills?: boolean;
};
export type RiskSink = Omit<RiskSource, "fills"> & {
	readonly category: string;
	readonly severity: Severity;
	/** The one argument that matters, counted from 0: values bound to a query behind its text are safe. */
	readonly argument?: number;
	/** Told only where something tainted reaches it: `echo` alone is no risk. */
	readonly quiet?: boolean;
};
/** What passes through it is no longer tainted. */
export type RiskSanitizer = Omit<RiskSource, "tags" | "fills">;

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
