import { gist, isQuestion, type Pair } from "./pair.ts";

const COMMENT = /^\s*(?:\/\/[/!]?|#+|--+\s?\|?|;+|%+|\{-\|?|"""?)\s?(.*)$/;
const MOST_CODE_LINES = 30;

/** For languages read by lines alone: a run of comment lines and the code that follows it up to a blank line. */
export function commentPairs(path: string, text: string): Pair[] {
	const lines = text.split("\n");
	const pairs: Pair[] = [];
	for (let at = 0; at < lines.length; at++) {
		const comment: string[] = [];
		while (at < lines.length) {
			const words = COMMENT.exec(lines[at] ?? "")?.[1];
			if (words === undefined) break;
			comment.push(words);
			at += 1;
		}
		if (comment.length === 0) continue;
		const code: string[] = [];
		for (let line = at; line < lines.length && code.length < MOST_CODE_LINES && lines[line]?.trim() !== ""; line++) {
			code.push(lines[line] ?? "");
		}
		const question = comment.join("\n");
		if (isQuestion(question) && code.join("").length > 40) {
			pairs.push({ kind: code.length > 3 ? "doc" : "inline", query: gist(question), code: code.join("\n"), path });
		}
	}
	return pairs;
}
