import type { Chunk, ChunkFacts } from "../parse/chunk.ts";

/**
 * Facts are found like words: each is a term of its own, marked by a first character that no word has and the name of
 * its field. A filter by the whole value is one lookup; a filter by part of it walks the values of one field.
 */
const MARK = "\u0001";

export const FACT_FIELDS = [
	"symbol",
	"import",
	"calls",
	"uses",
	"param",
	"decorator",
	"inferredType",
	"returnType",
	"throws",
	"reads",
	"writes",
	"mutates",
	"alias",
	"awaits",
	"risk",
	"riskSource",
	"riskSink",
	"riskCategory",
	"riskFlow",
	"visibility",
	"extends",
	"chunkAuthor",
	"meta",
] as const;
export type FactField = (typeof FACT_FIELDS)[number];

/** Values longer than this are of no use to a filter. */
const LONGEST_VALUE = 400;

/** Titles of tests and sections are names too, but nobody asks for them as a symbol. */
const SYMBOL = /^[^\s"'`]{1,120}$/;

export function factTerm(field: FactField, value: string): string {
	return `${MARK}${field}:${value}`;
}

/** The terms of a field lie between these two, the second excluded. */
export function factRange(field: FactField): readonly [string, string] {
	return [`${MARK}${field}:`, `${MARK}${field};`];
}

export function isFactTerm(term: string): boolean {
	return term.startsWith(MARK);
}

/** Every fact of a chunk as a term, each once. Imports are facts of the file and stand with its first chunk. */
export function factsOf(chunk: Pick<Chunk, "name" | "qualifiedName" | "facts">): Set<string> {
	const terms = new Set<string>();
	const add = (field: FactField, value: string | readonly string[] | undefined): void => {
		if (value === undefined) return;
		for (const one of typeof value === "string" ? [value] : value) {
			if (one !== "" && one.length <= LONGEST_VALUE) terms.add(factTerm(field, one));
		}
	};
	for (const name of [chunk.name, chunk.qualifiedName]) if (SYMBOL.test(name)) add("symbol", name.toLowerCase());
	if (chunk.facts) addChunkFacts(chunk.facts, add);
	return terms;
}

function addChunkFacts(
	facts: ChunkFacts,
	add: (field: FactField, value: string | readonly string[] | undefined) => void,
): void {
	// A call is asked for by its last name as often as by the whole path to it.
	add(
		"calls",
		facts.calls?.flatMap((call) => [call, call.slice(call.lastIndexOf(".") + 1)]),
	);
	add("uses", facts.uses);
	add("param", facts.params);
	add("decorator", facts.decorators);
	add("inferredType", facts.inferredTypes);
	add("returnType", facts.returnType);
	add("throws", facts.throws);
	add("reads", facts.reads);
	add("writes", facts.writes);
	add("mutates", facts.mutates);
	add("alias", facts.aliases);
	add("awaits", facts.awaits);
	add("visibility", facts.visibility);
	if (facts.extends !== undefined || facts.implements !== undefined) {
		add("extends", [...(facts.extends ?? []), ...(facts.implements ?? [])]);
	}
	if (facts.risk) {
		add("risk", facts.risk.tags);
		add("riskSource", facts.risk.sources);
		add("riskSink", facts.risk.sinks);
		add("riskCategory", facts.risk.categories);
		add("riskFlow", facts.risk.flows);
	}
}
