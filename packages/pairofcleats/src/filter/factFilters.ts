import type { SearchRequest } from "../query/request.ts";
import { type FactField, makeFactRange, makeFactTerm } from "../segment/factTerms.ts";
import { decodePostings } from "../segment/postings.ts";
import { hasLineAuthors } from "../store/liveFiles.ts";
import { readModes } from "../store/snapshot.ts";
import { describeChoices, type FilterContext, foldText, keepDocs, keepFiles } from "./filterContext.ts";

type TextArgument = {
	[Name in keyof SearchRequest]-?: SearchRequest[Name] extends string | undefined ? Name : never;
}[keyof SearchRequest];

/** How each fact is compared: by exact value, by any part ignoring case, or as the name of a type. */
const FACT_FILTERS: readonly {
	readonly argument: TextArgument;
	readonly field: FactField;
	/** Another field whose values count too. */
	readonly or?: FactField;
	readonly by: "whole" | "part" | "type";
}[] = [
	{ argument: "calls", field: "calls", by: "whole" },
	// The name of a method that is called is not repeated among the uses.
	{ argument: "uses", field: "uses", or: "calls", by: "whole" },
	{ argument: "param", field: "param", by: "whole" },
	{ argument: "decorator", field: "decorator", by: "part" },
	{ argument: "inferredType", field: "inferredType", by: "part" },
	{ argument: "returnType", field: "returnType", by: "part" },
	{ argument: "throws", field: "throws", by: "part" },
	{ argument: "reads", field: "reads", by: "part" },
	{ argument: "writes", field: "writes", by: "part" },
	{ argument: "mutates", field: "mutates", by: "part" },
	{ argument: "alias", field: "alias", by: "part" },
	{ argument: "awaits", field: "awaits", by: "part" },
	{ argument: "risk", field: "risk", by: "part" },
	{ argument: "riskTag", field: "risk", by: "part" },
	{ argument: "riskSource", field: "riskSource", by: "part" },
	{ argument: "riskSink", field: "riskSink", by: "part" },
	{ argument: "riskCategory", field: "riskCategory", by: "part" },
	{ argument: "riskFlow", field: "riskFlow", by: "part" },
	{ argument: "visibility", field: "visibility", by: "part" },
	{ argument: "extends", field: "extends", by: "type" },
	{ argument: "chunkAuthor", field: "chunkAuthor", by: "part" },
];

/** Punctuation that users write around a name but the index does not store: `@cached`, `run()`. */
const MARKS: Readonly<Partial<Record<TextArgument, RegExp>>> = {
	decorator: /^@(?=.)/s,
	calls: /(?<=.)\(\)$/s,
	awaits: /(?<=.)\(\)$/s,
};

/** Filters by facts from the syntax tree and from git blame. */
export function applyFactFilters(request: SearchRequest, context: FilterContext): void {
	for (const { argument, field, or, by } of FACT_FILTERS) {
		const given = request[argument];
		if (given === undefined) continue;
		const value = MARKS[argument] === undefined ? given : given.replace(MARKS[argument], "");
		if (field === "chunkAuthor") warnWithoutBlame(context);
		const docs = COMPARED[by](field, value, context);
		if (or !== undefined) wholeValue(or, value, context, docs);
		if (argument.startsWith("risk")) warnOfRisk(argument, field, given, docs, context);
		keepDocs(context, (doc) => docs[doc] === 1);
	}
	if (request.signature !== undefined) filterSignature(request.signature, context);
	if (request.import !== undefined) filterImport(request.import, context);
}

function filterSignature(value: string, context: FilterContext): void {
	const wanted = foldText(value);
	for (const { base, docs, signatures } of context.snapshot.segments) {
		const table = signatures();
		for (let local = 0; local < docs; local++) {
			if (context.allowed[base + local] === 1 && !foldText(table.at(local)).includes(wanted))
				context.allowed[base + local] = 0;
		}
	}
}

/** An import is indexed at the first chunk of its file and applies to all chunks. */
function filterImport(value: string, context: FilterContext): void {
	const docs = wholeValue("import", value, context);
	keepFiles(context, (number) => docs[context.snapshot.files[number]?.first ?? 0] === 1);
}

/** Marks the documents with the value in `docs`. */
function wholeValue(
	field: FactField,
	value: string,
	{ snapshot, reader }: FilterContext,
	docs: Uint8Array = new Uint8Array(snapshot.docs),
): Uint8Array {
	for (const { id, base, docs: count } of snapshot.segments) {
		const row = reader.postings(id, makeFactTerm(field, value));
		if (row) for (const local of decodePostings(row.bytes, row.count, count).docs) docs[base + local] = 1;
	}
	return docs;
}

function partOfValue(field: FactField, value: string, context: FilterContext): Uint8Array {
	const wanted = foldText(value);
	const [from, to] = makeFactRange(field);
	return scanValues(from, to, (term) => foldText(term.slice(from.length)).includes(wanted), context);
}

/** With or without the namespace and the type arguments: `Map` is `java.util.Map<String, Long>`. `*` is any text. */
function typeNamed(field: FactField, value: string, context: FilterContext): Uint8Array {
	const [from, to] = makeFactRange(field);
	const pieces = foldText(value.trim()).split("*");
	const body = pieces.map((piece) => piece.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, "\\$&")).join(".*");
	const pattern = new RegExp(`(?:^|[.:\\\\/])${body}(?:\\s*[<[({].*)?$`, "su");
	return scanValues(from, to, (term) => pattern.test(foldText(term.slice(from.length))), context);
}

const COMPARED = { whole: wholeValue, part: partOfValue, type: typeNamed } as const;

/** The documents with a matching term in the range. */
function scanValues(
	from: string,
	to: string,
	matches: (term: string) => boolean,
	{ snapshot, reader }: FilterContext,
): Uint8Array {
	const docs = new Uint8Array(snapshot.docs);
	for (const { id, base, docs: limit } of snapshot.segments) {
		for (const { term, count, bytes } of reader.terms(id, from, to)) {
			if (!matches(term)) continue;
			for (const local of decodePostings(bytes, count, limit).docs) docs[base + local] = 1;
		}
	}
	return docs;
}

/** Risks have the names of rules, not the words of the code, so a name that none has is answered with those there are. */
function warnOfRisk(
	argument: TextArgument,
	field: FactField,
	given: string,
	docs: Uint8Array,
	context: FilterContext,
): void {
	if (docs.some((found, doc) => found === 1 && context.snapshot.alive[doc] === 1)) return;
	const known = listLiveValues(field, (value) => value, context);
	const message = `no ${argument} has ${JSON.stringify(given.slice(0, 80))}; ${describeChoices(known)}`;
	context.warn({ code: "filter_without_data", field: argument, message });
}

/** The values of a fact in live documents, or a part of each, sorted. */
function listLiveValues(
	field: FactField,
	partOf: (value: string) => string,
	{ snapshot, reader }: FilterContext,
): string[] {
	const [from, to] = makeFactRange(field);
	const found = new Set<string>();
	for (const { id, base, docs } of snapshot.segments) {
		for (const { term, count, bytes } of reader.terms(id, from, to)) {
			const value = partOf(term.slice(from.length));
			if (found.has(value)) continue;
			if (decodePostings(bytes, count, docs).docs.some((local) => snapshot.alive[base + local] === 1)) found.add(value);
		}
	}
	return [...found].sort();
}

function warnWithoutBlame({ reader, warn }: FilterContext): void {
	if (hasLineAuthors(reader)) return;
	const message = "the index does not know who wrote which line; build it with blame";
	warn({ code: "filter_without_data", field: "chunkAuthor", message });
}

/** Filters by the fields of records, and warns about a field that no record has. */
export function applyMetaFilter({ meta, metaJson, mode = "both" }: SearchRequest, context: FilterContext): void {
	for (const [field, pairs] of Object.entries({ meta, metaJson })) {
		if (!Array.isArray(pairs)) continue;
		for (const pair of pairs.map(String)) {
			const equals = pair.indexOf("=");
			const key = (equals < 0 ? pair : pair.slice(0, equals)).trim().toLowerCase();
			const docs = docsWith(key, equals < 0 ? "" : pair.slice(equals + 1).trim(), context);
			if (!docs.includes(1) && readModes(mode).has("records")) warnOfField(field, key, context);
			keepDocs(context, (doc) => docs[doc] === 1);
		}
	}
}

/** `key` requires the field; `key=value` requires the value to occur in it or in a nested field. */
function docsWith(key: string, value: string, context: FilterContext): Uint8Array {
	const wanted = foldText(value);
	const docs = new Uint8Array(context.snapshot.docs);
	const ranges = namesOf(key).flatMap((name) => [
		{ from: `${name}=`, to: `${name}>` },
		{ from: `${name}.`, to: `${name}/` },
	]);
	for (const range of ranges) {
		const from = makeFactTerm("meta", range.from);
		const to = makeFactTerm("meta", range.to);
		const matches = (term: string): boolean =>
			foldText(term.slice(term.indexOf("=", from.length - 1) + 1)).includes(wanted);
		for (const [doc, found] of scanValues(from, to, matches, context).entries()) if (found === 1) docs[doc] = 1;
	}
	return docs;
}

/** Fields of triage records that have a short name too, all in lower case. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
	["vulnid", "vuln.vulnid"],
	["cve", "vuln.cve"],
	["severity", "vuln.severity"],
	["packagename", "package.name"],
	["packageecosystem", "package.ecosystem"],
	["assetid", "asset.assetid"],
]);

function namesOf(key: string): string[] {
	const long = SHORT_NAMES.get(key);
	return long === undefined ? [key] : [key, long];
}

const LONGEST_NAME = 80;

/** Suggests nested fields first, because users often give only the last part: `name` for `package.name`. */
function warnOfField(field: string, key: string, context: FilterContext): void {
	const known = listLiveValues("meta", (value) => value.slice(0, value.indexOf("=")), context);
	const isKnown = namesOf(key).some((own) => known.some((name) => name === own || name.startsWith(`${own}.`)));
	if (known.length === 0 || isKnown) return;
	const last = key.slice(key.lastIndexOf(".") + 1);
	const alike = known.filter((name) => name === last || name.endsWith(`.${last}`));
	const there = (alike.length > 0 ? alike : known).map((name) => name.slice(0, LONGEST_NAME));
	const message = `no record has the field ${key.slice(0, LONGEST_NAME)}; ${describeChoices(there)}`;
	context.warn({ code: "filter_without_data", field, message });
}
