import type { FactSink } from "../parse/factSink.ts";
import type { RiskTables } from "./riskMatcher.ts";

const NO_ROOTS: ReadonlySet<string> = new Set();

/** Whether a chunk's facts name any source or sink; most do not, and their nodes are not read a second time. */
export function worthALook(sink: FactSink, tables: RiskTables): boolean {
	const { sources, sinks } = tables;
	const uses = sink.list("uses");
	if (uses.some((name) => sources.has(name) && sources.match(name, "value"))) return true;
	const members = sink.list("members").filter((name) => sources.has(name));
	if (members.length > 0) {
		const roots = new Set(uses);
		if (members.some((name) => sources.mayMatch(name, "value", roots))) return true;
	}
	const calls = sink.list("calls");
	// A call's last word is always listed on its own, beside its whole name.
	if (calls.some((name) => sinks.has(name) || sources.has(name)) && calls.some((name) => isRisky(name, tables)))
		return true;
	return sink.list("mutates").some((place) => sinks.match(place, "assign"));
}

function isRisky(call: string, { sources, sinks }: RiskTables): boolean {
	if (sinks.match(call, "call") || sources.match(call, "call")) return true;
	return sinks.mayMatch(call, "call", NO_ROOTS) || sources.mayMatch(call, "call", NO_ROOTS);
}
