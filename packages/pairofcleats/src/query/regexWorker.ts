import { parentPort } from "node:worker_threads";
import { openReader } from "../index/sqliteReader.ts";
import type { RegexJob, RegexReport } from "./regexSearch.ts";

/** No file needs more matched lines than this to be found and shown. */
const MOST_LINES = 500;

/** Runs patterns off the serving thread, where one that never ends can be stopped. */
parentPort?.on("message", (job: RegexJob) => {
	const report = (message: RegexReport): void => parentPort?.postMessage(message);
	report({ kind: "ready" });
	if (job.kind === "paths") {
		const pattern = new RegExp(job.source, job.flags);
		for (const [index, path] of job.paths.entries())
			if (pattern.test(path)) report({ kind: "match", target: index, lines: [] });
	} else searchTexts(job, report);
	report({ kind: "done" });
});

function searchTexts(job: Extract<RegexJob, { kind: "texts" }>, report: (message: RegexReport) => void): void {
	const reader = openReader(job.index);
	try {
		for (const { target, segment, ordinal } of job.files) {
			const text = reader.text(segment, ordinal);
			if (text === undefined) continue;
			const lines = matchedLines(text, new RegExp(job.source, job.flags));
			if (lines.length > 0) report({ kind: "match", target, lines });
		}
	} finally {
		reader.close();
	}
}

/** Lines, from 1, that a match touches. The pattern is global and multi-line. */
function matchedLines(text: string, pattern: RegExp): number[] {
	const lines: number[] = [];
	let line = 1;
	let at = 0;
	for (let match = pattern.exec(text); match && lines.length < MOST_LINES; match = pattern.exec(text)) {
		if (match[0] === "") pattern.lastIndex += 1;
		for (
			let newline = text.indexOf("\n", at);
			newline >= 0 && newline < match.index;
			newline = text.indexOf("\n", at)
		) {
			line += 1;
			at = newline + 1;
		}
		const spanned = match[0].split("\n").length;
		for (let touched = line; touched < line + spanned; touched++) if (lines.at(-1) !== touched) lines.push(touched);
	}
	return lines;
}
