/** Where a statement of a style sheet ends: before `;`, `{` or `}`, or with the text. What is in brackets or quotes does not end it. */
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
				// A bracket that nobody closed ends here, too.
				return index;
		}
	}
	return text.length;
}

/** Remarks, quotes up to the end of a line, unquoted addresses and `#{…}` as a whole; an address outside of `url()` has a colon before it. */
const SKIPPED =
	/\/\*[\s\S]*?(?:\*\/|$)|(?<!:)\/\/[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|\burl\(\s*[^"'()\s][^()]*\)|[#@]\{(?:[^{}]|\{[^{}]*\})*\}|[()[\]{};]/g;
