import type { FactSink } from "../extract/factSink.ts";
import type { PatternTable, RiskForm, RiskTables } from "./riskMatcher.ts";

/** What imported names stand for, as far as a risk rule knows it: `sp` for `subprocess`. */
export type Meanings = ReadonlyMap<string, string>;

export function meaningsOf(sinks: Iterable<FactSink>, tables: RiskTables): Meanings {
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
export function ruleFor<T>(table: PatternTable<T>, name: string, form: RiskForm, meanings: Meanings): T | undefined {
	const written = table.match(name, form);
	if (written !== undefined || meanings.size === 0) return written;
	const [first = ""] = /^[^.]*/.exec(name) ?? [];
	const full = meanings.get(first);
	return full === undefined ? undefined : table.matchImported(full + name.slice(first.length), form);
}
