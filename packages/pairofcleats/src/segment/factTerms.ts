import type { Chunk, ChunkFacts } from "../parse/chunk.ts";
import type { InnerFunction, InnerName } from "./packedFacts.ts";

/**
 * Facts are indexed like words: each is a term that begins with a character no word contains, followed by its field
 * name. Filtering by an exact value is one lookup; filtering by part of a value scans the values of one field.
 */
const MARK = "\u0001";

const FACT_FIELDS = [
	"symbol",
	"listed",
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

/** Longer values are not indexed, since nobody filters by them. */
const LONGEST_VALUE = 400;

/** Excludes titles of tests and sections, which are names but not symbols. */
const SYMBOL = /^[^\s"'`]{1,120}$/;

export function makeFactTerm(field: FactField, value: string): string {
	return `${MARK}${field}:${value}`;
}

/** All terms of a field lie between these two, the second excluded. */
export function makeFactRange(field: FactField): readonly [string, string] {
	return [`${MARK}${field}:`, `${MARK}${field};`];
}

type Visit = (field: FactField, value: string) => void;

/** Calls `visit` with every fact of a chunk; some facts are reported twice. */
export function eachFact(
	chunk: Pick<Chunk, "name" | "qualifiedName"> & {
		readonly namespace: string | undefined;
		readonly facts: ChunkFacts | undefined;
		readonly functions: readonly InnerFunction[];
		readonly listed: readonly InnerName[];
	},
	visit: Visit,
): void {
	visitSymbol(chunk.name, visit);
	if (chunk.qualifiedName !== chunk.name) visitOwned(chunk.qualifiedName, chunk.namespace, visit);
	for (const { name, owner, namespace } of chunk.functions) {
		visitSymbol(name, visit);
		if (owner !== "") visitOwned(`${owner}.${name}`, namespace, visit);
	}
	for (const { name } of chunk.listed) if (SYMBOL.test(name)) visit("listed", name);
	const { facts } = chunk;
	if (!facts) return;
	visitCalls(facts.calls, visit);
	visitAll("uses", facts.uses, visit);
	visitAll("param", facts.params, visit);
	visitAll("decorator", facts.decorators, visit);
	visitAll("inferredType", facts.inferredTypes, visit);
	visitOne("returnType", facts.returnType, visit);
	visitAll("throws", facts.throws, visit);
	visitAll("reads", facts.reads, visit);
	visitAll("writes", facts.writes, visit);
	visitAll("mutates", facts.mutates, visit);
	visitAll("alias", facts.aliases, visit);
	visitAll("awaits", facts.awaits, visit);
	visitOne("visibility", facts.visibility, visit);
	visitAll("extends", facts.extends, visit);
	visitAll("extends", facts.implements, visit);
	if (!facts.risk) return;
	visitAll("risk", facts.risk.tags, visit);
	visitAll("riskSource", facts.risk.sources, visit);
	visitAll("riskSink", facts.risk.sinks, visit);
	visitAll("riskCategory", facts.risk.categories, visit);
	visitAll("riskFlow", facts.risk.flows, visit);
}

/** In a namespace for the whole file, a name is asked for with and without it. */
function visitOwned(name: string, namespace: string | undefined, visit: Visit): void {
	visitSymbol(name, visit);
	if (namespace !== undefined && name.startsWith(`${namespace}.`)) visitSymbol(name.slice(namespace.length + 1), visit);
}

function visitSymbol(name: string, visit: Visit): void {
	if (SYMBOL.test(name)) visit("symbol", name.toLowerCase());
}

/** Users filter by a call's last name as often as by its whole path. */
function visitCalls(calls: readonly string[] | undefined, visit: Visit): void {
	if (!calls) return;
	for (const call of calls) {
		visitOne("calls", call, visit);
		const dot = call.lastIndexOf(".");
		if (dot >= 0) visitOne("calls", call.slice(dot + 1), visit);
	}
}

function visitAll(field: FactField, values: readonly string[] | undefined, visit: Visit): void {
	if (values) for (const value of values) visitOne(field, value, visit);
}

function visitOne(field: FactField, value: string | undefined, visit: Visit): void {
	if (value !== undefined && value !== "" && value.length <= LONGEST_VALUE) visit(field, value);
}
