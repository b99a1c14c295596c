import type { FactSink } from "../extract/factSink.ts";
import type { Meanings } from "./meanings.ts";
import type { RiskTables } from "./riskMatcher.ts";

const NO_ROOTS: ReadonlySet<string> = new Set();

/** Whether a chunk's facts name any source or sink. Most chunks do not, which saves a second pass over their nodes. */
export function worthALook(sink: FactSink, tables: RiskTables, meanings: Meanings): boolean {
	const { sources, sinks } = tables;
	const uses = sink.values("uses");
	for (const name of meanings.keys()) if (uses.has(name) || sink.values("calls").has(name)) return true;
	for (const name of uses) if (sources.has(name) && sources.match(name, "value")) return true;
	for (const name of sink.values("writes")) if (sources.has(name) && sources.mayMatch(name, "value", uses)) return true;
	const members = sink.values("members");
	for (const name of members) {
		if (sinks.has(name) && sinks.mayMatch(name, "assign", NO_ROOTS)) return true;
		if (!sources.has(name)) continue;
		// `self.request.GET`: the first word of a pattern can itself be a member.
		if (sources.mayMatch(name, "value", uses) || sources.mayMatch(name, "value", members)) return true;
	}
	for (const name of sink.values("decorators")) if (sources.match(name, "decorator")) return true;
	if (namesRiskyCall(sink.values("calls"), tables)) return true;
	for (const place of sink.values("mutates")) if (sinks.match(place, "assign")) return true;
	return false;
}

/**
 * The calls include the last word of each call as well as the full name, so most are ruled out by one lookup of that
 * word.
 */
function namesRiskyCall(calls: ReadonlySet<string>, { sources, sinks }: RiskTables): boolean {
	for (const last of calls) {
		for (const table of [sinks, sources]) {
			if (!table.has(last)) continue;
			if (table.match(last, "call") || table.mayMatch(last, "call", NO_ROOTS)) return true;
			for (const name of calls)
				if (name.length > last.length && name.endsWith(last) && table.match(name, "call")) return true;
		}
	}
	return false;
}
