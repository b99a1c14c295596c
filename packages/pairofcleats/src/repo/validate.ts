import { setImmediate as nextTurn } from "node:timers/promises";
import { decodePostings } from "../segment/postings.ts";
import type { LiveSegment } from "../store/snapshot.ts";
import { describeReason } from "./failures.ts";
import type { OpenIndex } from "./openIndex.ts";
import type { ValidationReport } from "./repository.ts";

/** Enough problems to see what is wrong. */
const MOST_PROBLEMS = 50;

/** Reads every row of the index and checks that the parts agree with each other. */
export async function validateIndex(index: OpenIndex, signal?: AbortSignal): Promise<ValidationReport> {
	const problems: string[] = [];
	const checked = { files: 0, chunks: 0, terms: 0 };
	const tell = (problem: string): void => {
		if (problems.length < MOST_PROBLEMS) problems.push(problem);
	};
	checkPaths(index, tell);
	for (const segment of index.snapshot.segments) {
		signal?.throwIfAborted();
		checked.files += checkFiles(index, segment, tell);
		checked.chunks += segment.docs;
		checkStrings(segment, tell);
		checkVectors(index, segment, tell);
		await nextTurn();
		checked.terms += checkTerms(index, segment, tell);
		await nextTurn();
		checkTrigrams(index, segment, tell);
		await nextTurn();
	}
	return { ok: problems.length === 0, checked, problems };
}

type Tell = (problem: string) => void;

/** Each path must be live once, and every file listed as indexed must be in the index. */
function checkPaths(index: OpenIndex, tell: Tell): void {
	const live = new Set<string>();
	for (const { path, alive } of index.snapshot.files) {
		if (!alive) continue;
		if (live.has(path)) tell(`${path} is in the index twice`);
		live.add(path);
	}
	for (const { path, state } of index.reader.stats()) {
		if (state === "indexed" && !live.has(path)) tell(`${path} is said to be indexed and is not`);
	}
}

function checkFiles(index: OpenIndex, segment: LiveSegment, tell: Tell): number {
	let next = 0;
	for (const [ordinal, file] of segment.files.entries()) {
		if (file.firstDoc !== next) tell(`${file.path}: its chunks begin at ${file.firstDoc}, expected ${next}`);
		next = file.firstDoc + file.docs;
		try {
			const text = index.reader.text(segment.id, ordinal);
			const details = index.reader.details(segment.id, ordinal);
			if (text === undefined || details === undefined) tell(`${file.path}: its text is missing`);
			else if (details.chunks.length !== file.docs)
				tell(`${file.path}: ${details.chunks.length} descriptions of ${file.docs} chunks`);
			const end = file.docs === 0 ? 0 : (segment.columns.end[next - 1] ?? 0);
			if (text !== undefined && end > text.length) tell(`${file.path}: a chunk ends past the text`);
		} catch (error) {
			tell(`${file.path}: ${describeReason(error)}`);
		}
	}
	if (next !== segment.docs) tell(`segment ${segment.id}: ${segment.docs} chunks, ${next} of them in files`);
	return segment.files.length;
}

function checkStrings(segment: LiveSegment, tell: Tell): void {
	for (const part of ["names", "qualifiedNames", "signatures"] as const) {
		try {
			const { length } = segment[part]();
			if (length !== segment.docs) tell(`${part} of segment ${segment.id}: ${length} for ${segment.docs} chunks`);
		} catch (error) {
			tell(`${part} of segment ${segment.id}: ${describeReason(error)}`);
		}
	}
}

function checkVectors(index: OpenIndex, segment: LiveSegment, tell: Tell): void {
	try {
		const vectors = index.reader.vectors(segment.id);
		if (!vectors) return;
		const { docs, data, dims } = vectors;
		if (data.length !== docs.length * dims || docs.some((doc) => doc >= segment.docs))
			tell(`vectors of segment ${segment.id}: they do not fit its chunks`);
	} catch (error) {
		tell(`vectors of segment ${segment.id}: ${describeReason(error)}`);
	}
}

function checkTerms(index: OpenIndex, segment: LiveSegment, tell: Tell): number {
	let terms = 0;
	let at = "";
	try {
		for (const { term, count, bytes } of index.reader.terms(segment.id, "", "\u{10ffff}")) {
			terms += 1;
			at = term;
			decodePostings(bytes, count, segment.docs);
		}
	} catch (error) {
		tell(`terms after ${JSON.stringify(at)}: ${describeReason(error)}`);
		return terms;
	}
	if (terms === 0 && segment.docs > 0) tell(`segment ${segment.id} has no terms`);
	return terms;
}

function checkTrigrams(index: OpenIndex, segment: LiveSegment, tell: Tell): void {
	try {
		for (const { trigram, files } of index.reader.trigrams(segment.id)) {
			if ((files.at(-1) ?? 0) >= segment.files.length) tell(`trigram ${trigram} names a file that is not there`);
		}
	} catch (error) {
		tell(`trigrams of segment ${segment.id}: ${describeReason(error)}`);
	}
}
