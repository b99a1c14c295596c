/** A pasted text in parts, weighted by how much each says about its subject. */
export type Report = {
	/** The first line; empty if that is a whole paragraph or a line of a trace. */
	readonly title: string;
	/** The writer's prose. */
	readonly said: string;
	/** What the writer pasted: code, output, traces. */
	readonly shown: string;
	/** Whether the text is mostly prose, rather than pasted output with a line or two of explanation. */
	readonly isTold: boolean;
};

/** With more words of prose than this, outside frames and pasted parts, the text counts as prose. */
const MOST_ASIDE_WORDS = 40;

const LONGEST_TITLE = 300;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const IMAGE = /!\[[^\]\n]{0,300}\]\([^)\n]{0,2000}\)|<img\b[^>\n]{0,2000}>/gi;
const ADDRESS = /\b(?:https?|ftp|file):\/\/[^\s<>)\]"'`]+/g;
const FENCE = /^\s*(?:>\s*)?(`{3,}|~{3,})/;
const HEADING = /^\s*(?:#{1,6}\s+(.+)|\*\*([^*]+)\*\*:?|__([^_]+)__:?)\s*$/;
/** Sections of an issue template about the environment or the form, not about the problem. */
const ASIDE =
	/\b(?:versions?|environment|system info|platform|operating system|os|runtime|install\w*|pip (?:list|freeze)|conda list|screenshots?|checklist|checks|contribution|project)\b/i;
const CHECKBOX = /^\s*[-*]\s*\[[ xX]?\]\s/;
const NO_ANSWER = /^\s*(?:_?no response_?|n\/?a|none|no|yes)\.?\s*$/i;
const INDENTED = /^(?: {4}|\t)/;
const FRAME = /^\s*(?:at\s+\S|from\s+\S+:\d+|File\s+"|#\d+\s|\d+:\s|Traceback\b|goroutine \d+ \[)/;

const PLACE = /[:(]\d+|\bline \d+/;
/**
 * A message of a compiler, linter or test runner about a line: `a.c:3:1: …`, `a.ts(3,1): …`, `… in a.php on line 3`.
 */
const DIAGNOSTIC = /\.\w{1,8}(?:(?::\d{1,7}){1,2}: |\(\d{1,7}(?:,\d{1,7})?\): | on line \d|: line \d{1,7}: )/;

/** Whether a line is from a stack trace or a program's output, so that its quotes and brackets are not operators. */
export function isFrame(line: string): boolean {
	return (FRAME.test(line) && PLACE.test(line)) || DIAGNOSTIC.test(line);
}

/** Splits a bug report or other multi-line text into parts. Ignores template headings, comments and addresses. */
export function readReport(text: string): Report {
	const title: string[] = [];
	const said: string[] = [];
	const shown: string[] = [];
	const plain = text.replaceAll(COMMENT, " ").replaceAll(IMAGE, " ").replaceAll(ADDRESS, " ");
	let fence = "";
	let aside = false;
	let isFirst = true;
	let isTemplate = false;
	for (const line of plain.split(/\r\n?|\n/)) {
		if (line.trim() === "") continue;
		const mark = FENCE.exec(line)?.[1];
		if (mark !== undefined && (fence === "" || mark.startsWith(fence))) {
			fence = fence === "" ? mark : "";
			isFirst = false;
			continue;
		}
		const isShown = fence !== "" || INDENTED.test(line) || FRAME.test(line);
		const heading = isShown ? null : HEADING.exec(line);
		isTemplate ||= heading !== null;
		if (isFirst && !isShown && line.length <= LONGEST_TITLE) title.push(line);
		else if (isShown) {
			if (!aside) shown.push(line);
		} else {
			if (heading) aside = ASIDE.test(heading[1] ?? heading[2] ?? heading[3] ?? "");
			else if (!aside && !CHECKBOX.test(line) && !NO_ANSWER.test(line)) said.push(line);
		}
		isFirst = false;
	}
	const isTold = isTemplate || wordCount([...title, ...said].filter((line) => !PLACE.test(line))) > MOST_ASIDE_WORDS;
	return { title: title.join("\n"), said: said.join("\n"), shown: shown.join("\n"), isTold };
}

function wordCount(lines: readonly string[]): number {
	return lines.reduce((sum, line) => sum + line.trim().split(/\s+/).length, 0);
}
