/**
 * Where a style sheet statement ends: before `;`, `{` or `}`, or at the end of the text. Brackets and quotes are
 * skipped.
 */
export function statementEnd(text: string, from: number): number {
	let depth = 0;
	SKIPPED.lastIndex = from;
	for (let found = SKIPPED.exec(text); found; found = SKIPPED.exec(text)) {
		const { 0: mark, index } = found;
		switch (mark) {
			case "(":
			case "[":
				depth += 1;
				break;
			case ")":
			case "]":
				depth = Math.max(0, depth - 1);
				break;
			case ";":
				if (depth === 0) return index;
				break;
			case "{":
			case "}":
				// Braces end the statement even inside an unclosed bracket.
				return index;
		}
	}
	return text.length;
}

/**
 * Skips comments, strings (up to the end of the line), unquoted `url(…)` and interpolations. A `//` after a colon is
 * part of a URL, not a comment.
 */
const SKIPPED =
	/\/\*[\s\S]*?(?:\*\/|$)|(?<!:)\/\/[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|\burl\(\s*[^"'()\s][^()]*\)|[#@]\{(?:[^{}]|\{[^{}]*\})*\}|[()[\]{};]/g;
