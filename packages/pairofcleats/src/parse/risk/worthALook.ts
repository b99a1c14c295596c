import type { FactSink } from "../extract/facts/factSink.ts";
import type { PatternTable, RiskForm, RiskTables } from "./rules/riskMatcher.ts";

const NO_ROOTS: ReadonlySet<string> = new Set();

/** Whether a chunk's facts name any source or sink. Most chunks do not, which saves a second pass over their nodes. */
export function isWorthAnalyzing(sink: FactSink, tables: RiskTables, meanings: Meanings): boolean {
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

/** What imported names stand for, as far as a risk rule knows it: `sp` for `subprocess`. */
export type Meanings = ReadonlyMap<string, string>;

export function listMeanings(sinks: Iterable<FactSink>, tables: RiskTables): Meanings {
	const meanings = new Map<string, string>();
	for (const sink of sinks) {
		for (const entry of sink.values("meanings")) {
			const [name = "", full = ""] = entry.split("=");
			if (name !== full && [tables.sinks, tables.sources, tables.sanitizers].some((table) => table.concerns(full)))
				meanings.set(name, full);
		}
	}
	return meanings;
}

/** The rule for a name as it is written, or else for what its first word stands for. */
export function findRule<T>(table: PatternTable<T>, name: string, form: RiskForm, meanings: Meanings): T | undefined {
	const written = table.match(name, form);
	if (written !== undefined || meanings.size === 0) return written;
	const [first = ""] = /^[^.]*/.exec(name) ?? [];
	const full = meanings.get(first);
	return full === undefined ? undefined : table.matchImported(full + name.slice(first.length), form);
}
