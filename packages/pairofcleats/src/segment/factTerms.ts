import type { Chunk } from "../parse/chunk.ts";

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

/** Calls back with every fact of a chunk; the same fact may come twice. */
export function eachFact(
	chunk: Pick<Chunk, "name" | "qualifiedName" | "facts">,
	visit: (field: FactField, value: string) => void,
): void {
	const add = (field: FactField, values: readonly string[] | undefined): void => {
		if (values) for (const value of values) if (value !== "" && value.length <= LONGEST_VALUE) visit(field, value);
	};
	for (const name of [chunk.name, chunk.qualifiedName]) if (SYMBOL.test(name)) visit("symbol", name.toLowerCase());
	const { facts } = chunk;
	if (!facts) return;
	add("calls", facts.calls);
	// A call is asked for by its last name as often as by the whole path to it.
	for (const call of facts.calls ?? []) add("calls", [call.slice(call.lastIndexOf(".") + 1)]);
	add("uses", facts.uses);
	add("param", facts.params);
	add("decorator", facts.decorators);
	add("inferredType", facts.inferredTypes);
	add("returnType", facts.returnType === undefined ? undefined : [facts.returnType]);
	add("throws", facts.throws);
	add("reads", facts.reads);
	add("writes", facts.writes);
	add("mutates", facts.mutates);
	add("alias", facts.aliases);
	add("awaits", facts.awaits);
	add("visibility", facts.visibility === undefined ? undefined : [facts.visibility]);
	add("extends", facts.extends);
	add("extends", facts.implements);
	add("risk", facts.risk?.tags);
	add("riskSource", facts.risk?.sources);
	add("riskSink", facts.risk?.sinks);
	add("riskCategory", facts.risk?.categories);
	add("riskFlow", facts.risk?.flows);
}
