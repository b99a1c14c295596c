import { parentPort, workerData } from "node:worker_threads";
import { standBehind } from "../segment/decompressionGate.ts";
import { openReader } from "../store/sqliteReader.ts";
import { KeptTexts } from "./keptTexts.ts";
import { lineMatcher } from "./matchedLines.ts";
import type { RegexPart, RegexReport, RegexThreadData } from "./regexSearch.ts";

/** A target and its matched lines. */
type RegexMatch = readonly [target: number, lines: readonly number[]];

const { threads, gates }: RegexThreadData = workerData;
standBehind(gates);
const kept = new KeptTexts(threads);

/**
 * Matches are sent in batches of this many numbers, because one message per match would cost more than most searches.
 */
const BATCH = 1 << 14;

/** Runs patterns outside the serving thread, so that a pattern that never ends can be stopped. */
parentPort?.on("message", (part: RegexPart) => {
	const report = (message: RegexReport, transfer: ArrayBuffer[] = []): void =>
		parentPort?.postMessage(message, transfer);
	report({ kind: "ready" });
	let found: number[] = [];
	const tell = (): void => {
		const matches = Uint32Array.from(found);
		report({ kind: "matches", matches }, [matches.buffer]);
		found = [];
	};
	for (const [target, lines] of part.kind === "paths" ? searchPaths(part) : searchTexts(part)) {
		found.push(target, lines.length);
		for (const line of lines) found.push(line);
		if (found.length >= BATCH) tell();
	}
	tell();
	report({ kind: "done" });
});

function* searchPaths({ source, flags, paths }: Extract<RegexPart, { kind: "paths" }>): Generator<RegexMatch> {
	for (const [target, path] of paths.entries()) {
		if (new RegExp(source, flags).test(path)) yield [target, []];
	}
}

function* searchTexts({ source, flags, index, files }: Extract<RegexPart, { kind: "texts" }>): Generator<RegexMatch> {
	const linesOf = lineMatcher(source, flags);
	const reader = openReader(index);
	try {
		const textOf = kept.read(reader, index);
		for (let at = 0; at < files.length; at += 3) {
			const text = textOf(files[at + 1] ?? 0, files[at + 2] ?? 0);
			if (text === undefined) continue;
			const lines = linesOf(text);
			if (lines.length > 0) yield [files[at] ?? 0, lines];
		}
	} finally {
		reader.close();
	}
}
