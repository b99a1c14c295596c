import { parentPort, workerData } from "node:worker_threads";
import { useGate } from "../segment/compression.ts";
import { openReader } from "../store/sqliteReader.ts";
import { KeptTexts } from "./keptTexts.ts";
import { findTouchedPieces } from "./longLines.ts";
import { makeLineMatcher } from "./matchedLines.ts";
import { flattenMatches, type RegexPart, type RegexReport, type RegexThreadData } from "./regexSearch.ts";

/** A target, its matched lines, and the pieces of very long lines that a match touches; without them, it has no text. */
type RegexMatch = readonly [target: number, lines?: readonly number[], pieces?: readonly number[]];

const { threads, gates }: RegexThreadData = workerData;
useGate(gates);
const kept = new KeptTexts(threads);

/**
 * Matches are sent in batches of this many numbers, because one message per match would cost more than most searches.
 */
const BATCH = 1 << 14;
/** Even without matches, this often is told how far the search is: what has been told is kept if the time runs out. */
const TELL_MS = 100;

/** Runs patterns outside the serving thread, so that a pattern that never ends can be stopped. */
parentPort?.on("message", (part: RegexPart) => {
	const report = (message: RegexReport, transfer: ArrayBuffer[] = []): void =>
		parentPort?.postMessage(message, transfer);
	report({ kind: "ready" });
	let found: number[] = [];
	let missing: number[] = [];
	let searched = 0;
	let toldMs = performance.now();
	const tell = (): void => {
		const matches = Uint32Array.from(found);
		report({ kind: "matches", matches, searched, missing }, [matches.buffer]);
		found = [];
		missing = [];
		toldMs = performance.now();
	};
	for (const [target, lines, pieces = []] of matchesOf(part)) {
		searched += 1;
		if (lines === undefined) missing.push(target);
		else if (lines.length > 0) {
			found.push(target, lines.length, pieces.length / 2);
			for (const line of lines) found.push(line);
			for (const piece of pieces) found.push(piece);
		}
		if (found.length >= BATCH || performance.now() - toldMs > TELL_MS) tell();
	}
	tell();
	report({ kind: "done" });
});

function matchesOf(part: RegexPart): Generator<RegexMatch> {
	switch (part.kind) {
		case "paths":
			return searchPaths(part);
		case "given":
			return searchGiven(part);
		case "texts":
			return searchTexts(part);
	}
}

function* searchPaths({ source, flags, paths }: Extract<RegexPart, { kind: "paths" }>): Generator<RegexMatch> {
	for (const [target, path] of paths.entries()) {
		yield [target, new RegExp(source, flags).test(path) ? [1] : []];
	}
}

function* searchGiven({ source, flags, texts }: Extract<RegexPart, { kind: "given" }>): Generator<RegexMatch> {
	const search = searcher(source, flags);
	for (const { target, text, pieces } of texts) yield search(target, text, flattenMatches(pieces));
}

function* searchTexts(part: Extract<RegexPart, { kind: "texts" }>): Generator<RegexMatch> {
	const { source, flags, index, generation, files } = part;
	const search = searcher(source, flags);
	const reader = openReader(index);
	reader.stay();
	try {
		const textOf = kept.read(reader, index);
		for (let at = 0; at < files.length; at += 3) {
			const target = files[at] ?? 0;
			const text = textOf(files[at + 1] ?? 0, files[at + 2] ?? 0);
			if (text !== undefined) yield search(target, text, part.pieces.get(target));
			else yield reader.generation() === generation ? [target, []] : [target];
		}
	} finally {
		reader.close();
	}
}

function searcher(source: string, flags: string): (target: number, text: string, pieces?: Int32Array) => RegexMatch {
	const linesOf = makeLineMatcher(source, flags);
	const pattern = new RegExp(source, flags);
	return (target, text, pieces) => {
		const lines = linesOf(text);
		return [target, lines, pieces && lines.length > 0 ? findTouchedPieces(text, pattern, pieces) : []];
	};
}
