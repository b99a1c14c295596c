import { parentPort, workerData } from "node:worker_threads";
import { openReader } from "../index/sqliteReader.ts";
import { KeptTexts } from "./keptTexts.ts";
import { lineLiteral } from "./lineLiteral.ts";
import { matchedLines, matchedLinesWith } from "./matchedLines.ts";
import type { RegexMatch, RegexPart, RegexReport } from "./regexSearch.ts";

const kept = new KeptTexts(Number(workerData) || 1);

/** Matches are told in batches: a message each would cost more than most searches. */
const BATCH = 200;

/** Runs patterns off the serving thread, where one that never ends can be stopped. */
parentPort?.on("message", (part: RegexPart) => {
	const report = (message: RegexReport): void => parentPort?.postMessage(message);
	report({ kind: "ready" });
	let found: RegexMatch[] = [];
	for (const match of part.kind === "paths" ? searchPaths(part) : searchTexts(part)) {
		found.push(match);
		if (found.length < BATCH) continue;
		report({ kind: "matches", found });
		found = [];
	}
	report({ kind: "matches", found });
	report({ kind: "done" });
});

function* searchPaths({ source, flags, paths }: Extract<RegexPart, { kind: "paths" }>): Generator<RegexMatch> {
	for (const [target, path] of paths.entries()) {
		if (new RegExp(source, flags).test(path)) yield [target, []];
	}
}

function* searchTexts({ source, flags, index, files }: Extract<RegexPart, { kind: "texts" }>): Generator<RegexMatch> {
	const pattern = new RegExp(source, flags);
	const literal = lineLiteral(source, flags);
	const reader = openReader(index);
	try {
		const textOf = kept.read(reader, index);
		for (let at = 0; at < files.length; at += 3) {
			const text = textOf(files[at + 1] ?? 0, files[at + 2] ?? 0);
			if (text === undefined) continue;
			const lines = literal === undefined ? matchedLines(text, pattern) : matchedLinesWith(literal, text, pattern);
			if (lines.length > 0) yield [files[at] ?? 0, lines];
		}
	} finally {
		reader.close();
	}
}
