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
	if (namesRiskyCall(sink.list("calls"), tables)) return true;
	return sink.list("mutates").some((place) => sinks.match(place, "assign"));
}

/** A call's last word is always listed on its own, beside its whole name; only words some rule ends in are looked at. */
function namesRiskyCall(calls: readonly string[], { sources, sinks }: RiskTables): boolean {
	for (const last of calls) {
		for (const table of [sinks, sources]) {
			if (!table.has(last)) continue;
			if (table.match(last, "call") || table.mayMatch(last, "call", NO_ROOTS)) return true;
			if (calls.some((name) => name.length > last.length && name.endsWith(last) && table.match(name, "call")))
				return true;
		}
	}
	return false;
}
