import { invalidField } from "../contract/errors.ts";
import type { RegexRunner } from "../expression/regexSearch.ts";
import { CHUNK_KINDS } from "../parse/chunk.ts";
import { listLanguagesNamed } from "../parse/detectLanguage.ts";
import { SEARCH_ARGUMENTS } from "../query/arguments.ts";
import type { SearchRequest } from "../query/request.ts";
import { FLAG, MOST_COUNTED } from "../segment/columns.ts";
import { locateDocument, readModes } from "../store/snapshot.ts";
import { findUnknownFacts } from "./factArguments.ts";
import { applyFactFilters, applyMetaFilter } from "./factFilters.ts";
import { describeChoices, type FilterContext, keepDocs, keepFiles } from "./filterContext.ts";
import { applyGitFilters } from "./gitFilters.ts";

/** Time limit for regular expressions in path filters, which share a thread. */
const PATH_REGEX_MS = 1_000;

/** Clears every document from `allowed` that fails any filter. */
export async function applyFilters(request: SearchRequest, given: FilterContext, regexes: RegexRunner): Promise<void> {
	const isEmpty = !given.allowed.includes(1);
	let isTold = false;
	const context: FilterContext = {
		...given,
		warn: (warning) => {
			// A warning about some languages does not explain why the others have no match.
			isTold ||= warning.code !== "filter_unsupported";
			given.warn(warning);
		},
	};
	if (isEmpty) warnOfMode(request, context);
	warnOfMeta(request, context);
	filterKind(request, context);
	filterLanguage(request, context);
	filterExtension(request, context);
	await filterPaths("path", request, context, regexes);
	await filterPaths("file", request, context, regexes);
	const unknown = await findUnknownFacts(request, context);
	for (const { warning, isRare } of unknown) if (!isRare) context.warn(warning);
	warnOfVisibility(request, context);
	filterFlags(request, context);
	filterCounts(request, context);
	filterLint(request, context);
	filterBranch(request, context);
	applyGitFilters(request, context);
	applyFactFilters(request, context);
	applyMetaFilter(request, context);
	if (context.allowed.includes(1)) return;
	for (const { warning, isRare } of unknown) if (isRare) context.warn(warning);
	if (!isTold && !isEmpty) warnOfNothing(request, context);
}

/** Warns that the filters alone exclude everything, regardless of the query's words. */
function warnOfNothing(request: SearchRequest, { warn }: FilterContext): void {
	const given = Object.entries(SEARCH_ARGUMENTS).flatMap(([name, { role }]) =>
		role === "filter" && name in request && !name.startsWith("case") ? [name] : [],
	);
	const all = given.length === 1 ? "the filter" : "these filters together:";
	warn({ code: "filter_without_data", message: `nothing that is searched passes ${all} ${given.join(", ")}` });
}

/** Without a warning, an index with nothing in that mode would look like a query without matches. */
function warnOfMode({ mode = "both" }: SearchRequest, { warn }: FilterContext): void {
	if (mode === "both" || mode === "all") return;
	const message =
		mode === "records"
			? "nothing indexed is a record: JSON Lines files are, and what triage_ingest (triage ingest) stores"
			: `nothing indexed is ${mode}`;
	warn({ code: "filter_without_data", field: "mode", message });
}

/** Only records have such fields, and most modes exclude records. */
function warnOfMeta(request: SearchRequest, { warn }: FilterContext): void {
	const { mode = "both" } = request;
	const field = request.meta === undefined ? "metaJson" : "meta";
	if (request[field] === undefined || readModes(mode).has("records")) return;
	const message = `only records have such fields, and the mode ${mode} leaves them out; the mode records does not`;
	warn({ code: "filter_without_data", field, message });
}

function filterKind({ type }: SearchRequest, context: FilterContext): void {
	if (type === undefined) return;
	const kinds = new Set(
		splitList(type).map((name) => CHUNK_KINDS.indexOf(name.toLowerCase() as (typeof CHUNK_KINDS)[number])),
	);
	if (kinds.has(-1)) throw invalidField("type", `kinds of ${CHUNK_KINDS.join(", ")}`, type);
	keepDocs(context, (doc) => {
		const { segment, local } = locateDocument(context.snapshot, doc);
		return kinds.has(segment.columns.kind[local] ?? -1);
	});
}

function filterLanguage({ lang }: SearchRequest, context: FilterContext): void {
	if (lang === undefined) return;
	const present = new Set(context.snapshot.files.filter(({ alive }) => alive).map(({ language }) => language));
	const wanted = new Set<string>();
	for (const name of splitList(lang)) {
		const ids = listLanguagesNamed(name);
		for (const id of ids) wanted.add(id);
		if (ids.some((id) => present.has(id))) continue;
		const there = describeChoices([...present].sort());
		const message = `no indexed file is in the language ${ids[0] ?? name.slice(0, 80)}; ${there}`;
		context.warn({ code: "filter_without_data", field: "lang", message });
	}
	keepFiles(context, (number) => wanted.has(context.snapshot.files[number]?.language ?? ""));
}

const VISIBILITIES = ["public", "protected", "private", "internal"];

/** Warns about an unknown visibility, since it matches nothing. */
function warnOfVisibility({ visibility }: SearchRequest, { warn }: FilterContext): void {
	if (visibility === undefined || VISIBILITIES.some((one) => one.includes(visibility.trim().toLowerCase()))) return;
	const message = `nothing has the visibility ${JSON.stringify(visibility.slice(0, 80))}; there are ${VISIBILITIES.join(", ")}`;
	warn({ code: "filter_without_data", field: "visibility", message });
}

function filterExtension({ ext }: SearchRequest, context: FilterContext): void {
	if (ext === undefined) return;
	const wanted = [ext]
		.flat()
		.flatMap(splitList)
		.map((name) => `.${name.toLowerCase().replace(/^\*?\.?/, "")}`);
	const ends = (number: number): boolean => {
		const path = context.snapshot.files[number]?.path ?? "";
		const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
		return wanted.some((ending) => name.endsWith(ending));
	};
	warnIfNone("ext", `has the extension ${quoted(ext)}`, context, ends);
	keepFiles(context, ends);
}

/** Without a warning, a misspelt folder would look like a query without matches. */
function warnIfNone(
	field: "path" | "file" | "ext",
	has: string,
	{ snapshot, warn }: FilterContext,
	test: (number: number) => boolean,
): void {
	if (snapshot.files.some(({ alive }, number) => alive && test(number))) return;
	warn({ code: "filter_without_data", field, message: `no indexed file ${has}` });
}

function quoted(values: string | readonly string[]): string {
	const named = [values].flat().map((value) => JSON.stringify(value.slice(0, 80)));
	return named.slice(0, 5).join(" or ");
}

async function filterPaths(
	field: "path" | "file",
	request: SearchRequest,
	context: FilterContext,
	regexes: RegexRunner,
): Promise<void> {
	const values = request[field];
	if (values === undefined) return;
	const { readPathPattern } = await import("./pathPattern.ts");
	const { files } = context.snapshot;
	const matched = new Uint8Array(files.length);
	let stopped = false;
	for (const value of [values].flat()) {
		const pattern = readPathPattern(field, value, request.case === true || request.caseFile === true);
		// `file` matches the name without folders, unless the value contains a folder.
		const whole = field === "path" || pattern.whole;
		const texts = files.map(({ path }) => (whole ? path : path.slice(path.lastIndexOf("/") + 1)));
		if (pattern.kind === "test") {
			for (const [number, text] of texts.entries()) if (pattern.matches(text)) matched[number] = 1;
			continue;
		}
		const { source, flags } = pattern;
		const { matches, unsearched } = await regexes.run({ kind: "paths", source, flags, paths: texts }, PATH_REGEX_MS);
		for (const number of matches.keys()) matched[number] = 1;
		if (unsearched.length === 0) continue;
		stopped = true;
		context.warn({ code: "regex_budget", field, message: `${value} took too long; not every path was tried` });
	}
	const isMatched = (number: number): boolean => matched[number] === 1;
	const what = field === "path" ? "path" : "name";
	if (!stopped) warnIfNone(field, `has a ${what} that matches ${quoted(values)}`, context, isMatched);
	keepFiles(context, isMatched);
}

function filterFlags(request: SearchRequest, context: FilterContext): void {
	const flags = [
		["async", FLAG.async, FLAG.asyncKnown],
		["generator", FLAG.generator, FLAG.generatorKnown],
		["returns", FLAG.returns, FLAG.returnsKnown],
	] as const;
	for (const [field, bit, known] of flags) {
		const wanted = request[field];
		if (wanted === undefined) continue;
		const test = wanted ? bit | known : known;
		keepDocs(context, (doc) => {
			const { segment, local } = locateDocument(context.snapshot, doc);
			return ((segment.columns.flags[local] ?? 0) & (bit | known)) === test;
		});
	}
}

function filterCounts(request: SearchRequest, context: FilterContext): void {
	const counts = [
		["branches", request.branchesMin],
		["loops", request.loopsMin],
		["breaks", request.breaksMin],
		["continues", request.continuesMin],
	] as const;
	for (const [column, wanted] of counts) {
		if (wanted === undefined) continue;
		const least = Math.min(wanted, MOST_COUNTED);
		keepDocs(context, (doc) => {
			const { segment, local } = locateDocument(context.snapshot, doc);
			const known = ((segment.columns.flags[local] ?? 0) & FLAG.controlFlowKnown) !== 0;
			return known && (segment.columns[column][local] ?? 0) >= least;
		});
	}
}

function filterLint({ lint }: SearchRequest, context: FilterContext): void {
	if (lint === undefined) return;
	const { snapshot, reader } = context;
	const linesByPath = new Map(reader.lintPaths().map((path) => [path, reader.lint(path).map(({ line }) => line)]));
	keepDocs(context, (doc) => {
		const { segment, local } = locateDocument(snapshot, doc);
		const path = snapshot.files[snapshot.fileOf[doc] ?? 0]?.path ?? "";
		const from = segment.columns.startLine[local] ?? 0;
		const to = segment.columns.endLine[local] ?? 0;
		const found =
			((segment.columns.flags[local] ?? 0) & FLAG.parseError) !== 0 ||
			(linesByPath.get(path)?.some((line) => line >= from && line <= to) ?? false);
		return found === lint;
	});
}

/** An index covers one branch. For any other, nothing matches and a warning says so. */
function filterBranch({ branch, case: caseSensitive }: SearchRequest, context: FilterContext): void {
	if (branch === undefined) return;
	const indexed = context.reader.meta("branch") ?? "";
	const fold = (text: string): string => (caseSensitive === true ? text : text.toLowerCase());
	if (fold(indexed) === fold(branch)) return;
	const of = indexed === "" ? "of no branch" : `of the branch ${indexed}`;
	context.warn({ code: "branch_mismatch", field: "branch", message: `the index is ${of}, not of ${branch}` });
	context.allowed.fill(0);
}

/** Splits a comma-separated list. */
export function splitList(value: string): string[] {
	return value
		.split(",")
		.map((part) => part.trim())
		.filter((part) => part !== "");
}
