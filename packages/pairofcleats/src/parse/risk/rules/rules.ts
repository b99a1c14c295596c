/**
 * A pattern names code by its last words: `req.body` is a value, `eval()` a call, `*.innerHTML=` an assignment, `__html=`
 * also a key of an object or an attribute in JSX, `@Body` a parameter decorator. A call pattern without a dot matches only calls without a receiver; `*.` matches any receiver.
 */
type RiskPattern = string;

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export type RiskSource = {
	readonly name: string;
	readonly tags: readonly string[];
	readonly languages: readonly string[];
	readonly patterns: readonly RiskPattern[];
	/** The call writes its input into the arguments: `fgets(line, …)`. */
	readonly fills?: boolean;
};
export type RiskSink = Omit<RiskSource, "fills"> & {
	readonly category: string;
	readonly severity: Severity;
	/** The only argument that matters, counted from 0: values bound to a query after its text are safe. */
	readonly argument?: number;
	/** A context may come before that argument, as in Go: pgx has `Query(ctx, sql)` where database/sql has `Query(sql)`. */
	readonly afterContext?: boolean;
	/** What it is called on matters, not its arguments: `name.constantize`. */
	readonly receiver?: boolean;
	/** The type of what it writes to, its first argument, a parameter: `fmt.Fprintf(w, …)` also prints to a terminal. */
	readonly into?: string;
	/** Reported only if something tainted reaches it: `echo` alone is no risk. */
	readonly quiet?: boolean;
};
/** A call whose result is no longer tainted. */
export type RiskSanitizer = Omit<RiskSource, "tags" | "fills">;

export type RiskRules = {
	readonly sources: readonly RiskSource[];
	readonly sinks: readonly RiskSink[];
	readonly sanitizers: readonly RiskSanitizer[];
};

/** Languages that share the same libraries. */
export const FAMILIES = {
	ecmascript: ["javascript", "typescript", "tsx"],
	jvm: ["java", "kotlin", "scala"],
	native: ["c", "cpp"],
} as const;

/** Only the query text matters; values passed after it are bound parameters. */
export const TEXT_FIRST = { argument: 0 } as const;
export const ON_WHAT_IS_TAINTED = { receiver: true } as const;

/** A built-in sink, whose tag is its name. */
export function makeSink(
	name: string,
	category: string,
	severity: Severity,
	languages: readonly string[],
	patterns: readonly string[],
	only: Pick<RiskSink, "argument" | "afterContext" | "receiver" | "into" | "quiet"> = {},
): RiskSink {
	return { name, category, severity, tags: [name], languages, patterns, ...only };
}
