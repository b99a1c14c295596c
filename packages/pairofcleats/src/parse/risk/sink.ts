import type { RiskSink, Severity } from "./rules.ts";

/** Only the query text matters; values passed after it are bound parameters. */
export const TEXT_FIRST = { argument: 0 } as const;
export const ON_WHAT_IS_TAINTED = { receiver: true } as const;

/** A built-in sink, whose tag is its name. */
export function sink(
	name: string,
	category: string,
	severity: Severity,
	languages: readonly string[],
	patterns: readonly string[],
	only: Pick<RiskSink, "argument" | "afterContext" | "receiver" | "into" | "quiet"> = {},
): RiskSink {
	return { name, category, severity, tags: [name], languages, patterns, ...only };
}
