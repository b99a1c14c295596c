import { findMatchedLines } from "../../expression/matchedLines.ts";
import { isRecordPath } from "../../index/recordFiles.ts";
import { CHUNK_KINDS } from "../../parse/chunk.ts";
import { SEARCH_DEFAULTS } from "../../query/arguments.ts";
import type { RegexOutcomes } from "../../query/conditions.ts";
import { listParts, spanWholeLines } from "../../query/declarationParts.ts";
import type { SearchRequest } from "../../query/request.ts";
import type { GitFacts, Hit, RecordFacts, Warning } from "../../query/result.ts";
import { makeSnippet, type SnippetInput, TermFinder } from "../../query/snippet.ts";
import { splitScore } from "../../rank/chooseFiles.ts";
import type { Definitions } from "../../rank/names/definitions.ts";
import type { QueryTerms } from "../../rank/terms/gatheredTerms.ts";
import { readRecord } from "../../records/readRecord.ts";
import type { Decision, TriageRecord } from "../../records/record.ts";
import { describePlace, findDecisionInForce, shortenText } from "../../records/record.ts";
import { MODES } from "../../segment/columns.ts";
import { makeFactTerm } from "../../segment/factTerms.ts";
import { unpackFacts } from "../../segment/packedFacts.ts";
import { decodePostings } from "../../segment/postings.ts";
import { locateDocument, type SnapshotFile } from "../../store/snapshot.ts";
import type { OpenIndex } from "../openIndex.ts";
import type { Folded } from "./foldTwins.ts";

/** What to mark in a hit's lines: matches of the condition, and the line that the query names. */
export type Marks = {
	readonly regexes: RegexOutcomes;
	readonly phrases: readonly RegExp[];
	/** Whether the query has no words outside its phrases. */
	readonly phrasesOnly: boolean;
	/** By document. */
	readonly pointed: ReadonlyMap<number, number>;
};

/** Turns ranked documents into what the caller sees: compact by default, with facts and source when asked. */
export function makeHits(
	index: OpenIndex,
	request: SearchRequest,
	query: QueryTerms,
	definitions: Definitions,
	ranked: readonly Folded[],
	marks: Marks,
	warnings: Warning[],
): Hit[] {
	const terms = new TermFinder([...query.terms, ...query.related].map(({ term }) => term));
	const context = request.context ?? SEARCH_DEFAULTS.context;
	return ranked.map((hit) => {
		const number = index.snapshot.fileOf[hit.doc] ?? 0;
		const file = index.snapshot.files[number];
		if (!file) throw new RangeError(`document ${hit.doc} has no file`);
		const { columns, names, qualifiedNames, signatures } = file.segment;
		const local = hit.doc - file.segment.base;
		const startLine = columns.startLine[local] ?? 1;
		const endLine = columns.endLine[local] ?? 1;
		const signature = signatures().at(local);
		const marked = markedLines(index, hit.doc, startLine, marks);
		const isMarked = someInside(marked, startLine, endLine);
		return {
			path: file.path,
			startLine,
			endLine,
			mode: MODES[columns.mode[local] ?? 0] ?? "code",
			language: file.language,
			kind: CHUNK_KINDS[columns.kind[local] ?? 0] ?? "block",
			name: names().at(local),
			qualifiedName: qualifiedNames().at(local),
			...readRecordFacts(index, file),
			...(signature !== "" && { signature }),
			...placeInWhole(file, local),
			score: round(hit.score),
			...(request.explain === true && { scoreParts: roundAll(splitScore(hit)) }),
			snippet: makeSnippet({
				...textAround(index, file, local, context, matchIn(marks.regexes, number, hit.doc - file.first)),
				startLine,
				endLine,
				terms,
				marked,
				marksOnly: marks.phrasesOnly && isMarked,
				context,
				...(definitions.docs.has(hit.doc) && !isMarked && { signature }),
			}),
			...(hit.twins.length > 0 && { duplicates: hit.twins.map((doc) => placeOf(index, doc)) }),
			...(request.output === "full" || request.output === "json" ? full(index, hit.doc, file, warnings) : {}),
		};
	});
}

function placeInWhole(file: SnapshotFile, local: number): Pick<Hit, "part" | "whole"> {
	const parts = listParts(file, local);
	const whole = spanWholeLines(file, parts);
	const { startLine, endLine } = file.segment.columns;
	const isAll = whole.startLine === startLine[local] && whole.endLine === endLine[local];
	return {
		...(!isAll && { whole }),
		...(parts.length > 1 && { part: { index: parts.indexOf(local) + 1, of: parts.length, ...whole } }),
	};
}

function someInside(lines: ReadonlySet<number>, from: number, to: number): boolean {
	for (const line of lines) if (line >= from && line <= to) return true;
	return false;
}

const NONE: ReadonlySet<number> = new Set();

/** Where an expression matched in a piece of a very long line, as an offset in the file. */
function matchIn(regexes: RegexOutcomes, file: number, piece: number): number | undefined {
	for (const { matches } of regexes.values()) {
		const at = matches.get(file)?.pieces.get(piece);
		if (at !== undefined) return at;
	}
	return undefined;
}

/** A chunk with the lines around it and its first line there. The whole file if only line numbers are known. */
function textAround(
	{ texts }: OpenIndex,
	file: SnapshotFile,
	local: number,
	context: number,
	match: number | undefined,
): Pick<SnippetInput, "text" | "start" | "match"> {
	const { start, end } = file.segment.columns;
	const from = start[local] ?? 0;
	const to = end[local] ?? 0;
	if (to === 0) return { text: texts.file(file) };
	const around = texts.around(file, from, to, context);
	return { ...around, ...(match !== undefined && { match: around.start + match - from }) };
}

function markedLines(
	{ snapshot, texts }: OpenIndex,
	doc: number,
	startLine: number,
	{ regexes, phrases, pointed: places }: Marks,
): ReadonlySet<number> {
	const pointed = places.get(doc);
	if (regexes.size === 0 && phrases.length === 0 && pointed === undefined) return NONE;
	const file = snapshot.fileOf[doc] ?? 0;
	const lines = new Set([...regexes.values()].flatMap(({ matches }) => [...(matches.get(file)?.lines ?? [])]));
	if (pointed !== undefined) lines.add(pointed);
	if (phrases.length === 0) return lines;
	const text = texts.chunk(snapshot, doc);
	for (const phrase of phrases) for (const line of findMatchedLines(text, phrase)) lines.add(startLine - 1 + line);
	return lines;
}

function placeOf({ snapshot }: OpenIndex, doc: number): { path: string; startLine: number; endLine: number } {
	const { segment, local } = locateDocument(snapshot, doc);
	return {
		path: snapshot.files[snapshot.fileOf[doc] ?? 0]?.path ?? "",
		startLine: segment.columns.startLine[local] ?? 1,
		endLine: segment.columns.endLine[local] ?? 1,
	};
}

/** More findings in one chunk would fill the answer, or make it too large to send. */
const MOST_FINDINGS = 100;

function full(index: OpenIndex, doc: number, file: SnapshotFile, warnings: Warning[]): Partial<Hit> {
	const local = doc - file.segment.base;
	const from = file.segment.columns.startLine[local] ?? 1;
	const to = file.segment.columns.endLine[local] ?? 1;
	const inside = ({ line }: { line: number }): boolean => line >= from && line <= to;
	const details = index.reader.details(file.segment.id, file.ordinal);
	const found = [...index.reader.lint(file.path), ...(details?.parseErrors ?? [])].filter(inside);
	if (found.length > MOST_FINDINGS) {
		const message = `${file.path}:${from}-${to} has ${found.length} lint findings; the first ${MOST_FINDINGS} are given`;
		warnings.push({ code: "findings_capped", message });
	}
	const lint = found.slice(0, MOST_FINDINGS).map(({ line, rule, message }) => ({ line, rule, message }));
	const packed = details?.chunks[local - file.firstDoc];
	const git = gitFacts(index, file.path);
	return {
		...(packed && { facts: unpackFacts(packed, file.segment.signatures().at(local)) }),
		...(git && { git }),
		...(lint.length > 0 && { lint }),
		source: index.texts.chunk(index.snapshot, doc),
	};
}

function gitFacts(index: OpenIndex, path: string): GitFacts | undefined {
	const known = index.git()?.get(path);
	return known && { author: known.author, modified: new Date(known.modifiedMs).toISOString(), churn: known.churn };
}

/** Four places, so that a score reads the same on every machine. */
function round(score: number): number {
	return Math.round(score * 10_000) / 10_000;
}

function roundAll(parts: Readonly<Record<string, number>>): Record<string, number> {
	return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, round(value)]));
}

/** The name and the facts of a hit that is a record of triage; nothing for any other. */
function readRecordFacts(
	index: OpenIndex,
	file: SnapshotFile,
): Pick<Hit, "name" | "qualifiedName" | "record"> | undefined {
	const record = isRecordPath(file.path) ? readRecord(index.texts.file(file)) : undefined;
	if (record === undefined) return undefined;
	const facts = factsOf(record, index);
	return { name: facts.title, qualifiedName: facts.title, record: facts };
}

function factsOf(record: TriageRecord, index: OpenIndex): RecordFacts {
	const { recordId, recordType, vuln } = record;
	const about = { recordId, recordType, title: shortenText(vuln.title), severity: vuln.severity };
	const decision = recordType === "decision" ? record : findDecisionInForce(decisionsOn(recordId, index));
	const where = recordType === "finding" ? describePlace(record) : undefined;
	return {
		...about,
		...(where !== undefined && { where: shortenText(where) }),
		...(recordType === "finding" && record.settled !== undefined && { settled: record.settled }),
		decision: decision?.status ?? null,
		...(decision?.expiresAt !== undefined && { expiresAt: decision.expiresAt }),
		...(recordType === "decision" && { finding: record.finding }),
	};
}

/** The indexed decisions about a finding. */
function decisionsOn(finding: string, { snapshot, reader, texts }: OpenIndex): Decision[] {
	return snapshot.segments.flatMap(({ id, base, docs }) => {
		const row = reader.postings(id, makeFactTerm("meta", `finding=${finding}`));
		const found = row ? [...decodePostings(row.bytes, row.count, docs).docs] : [];
		return found.flatMap((local) => {
			const record = snapshot.alive[base + local] === 1 ? readRecord(texts.chunk(snapshot, base + local)) : undefined;
			return record?.recordType === "decision" && record.finding === finding ? [record] : [];
		});
	});
}
