import type { RiskFacts } from "../chunk.ts";
import { type RiskSink, type RiskSource, SEVERITIES, type Severity } from "./rules.ts";

/** The sources, sinks and flows found while walking one chunk. */
export type Seen = {
	readonly sources: Map<string, RiskSource>;
	readonly sinks: Map<string, RiskSink>;
	/** `source->sink` → the sink. */
	readonly flows: Map<string, RiskSink>;
};

/**
 * A flow is as severe as its sink; a sink that nothing tainted reaches counts as medium at most; a source alone is low.
 */
export function riskSummary({ sources, sinks, flows }: Seen): RiskFacts | undefined {
	if (sources.size === 0 && sinks.size === 0) return undefined;
	const reached = [...flows.values()].map((sink) => sink.severity);
	const present = [...sinks.values()].map((sink): Severity => (sink.severity === "low" ? "low" : "medium"));
	return {
		tags: sorted([...sources.values(), ...sinks.values()].flatMap((rule) => rule.tags)),
		categories: sorted([...sinks.values()].map((sink) => sink.category)),
		sources: sorted(sources.keys()),
		sinks: sorted(sinks.keys()),
		flows: sorted(flows.keys()),
		severity: worst(reached.length > 0 ? reached : present),
	};
}

function worst(severities: readonly Severity[]): Severity {
	const rank = Math.max(0, ...severities.map((severity) => SEVERITIES.indexOf(severity)));
	return SEVERITIES[rank] ?? "low";
}

function sorted(names: Iterable<string>): string[] {
	return [...new Set(names)].sort();
}
