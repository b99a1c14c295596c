/** Patterns of plain characters, classes that hold no line break, groups left out: what cannot match across lines. */
const WITHIN_LINE =
	/^(?:[^\\[(|\p{Cc}]|\\[wdbBS]|\\[^\p{L}\p{N}\p{Cc}]|\[(?!\^)(?:[^\]\\\p{Cc}]|\\[wdS]|\\[^\p{L}\p{N}\p{Cc}])*\])*$/u;
const TOKEN = /(\[(?:\\.|[^\]\\])*\]|\\.|.)([*+?]|\{\d+(?:,\d*)?\})?\??/gsu;
const SHORTEST = 3;

/** `leads`: a match begins with it. */
export type LineLiteral = { readonly text: string; readonly leads: boolean };

/**
 * Characters that stand in a row in every line a pattern matches, if it matches within single lines only: other lines
 * need not be tried. `undefined` when there are none, or it cannot be told.
 */
export function lineLiteral(source: string, flags: string): LineLiteral | undefined {
	if (/[^gmu]/.test(flags) || !WITHIN_LINE.test(source)) return undefined;
	let longest: LineLiteral = { text: "", leads: false };
	let run = "";
	let leads = true;
	const endRun = (): void => {
		if (run.length > longest.text.length) longest = { text: run, leads };
		run = "";
		leads = false;
	};
	for (const [, token = "", quantifier = ""] of source.matchAll(TOKEN)) {
		if (/^(?:[\^$]|\\[bB])$/.test(token)) continue;
		const literal = /^(?:[^\\[.]|\\[^\p{L}\p{N}])$/u.test(token) ? (token.at(-1) ?? "") : undefined;
		if (literal !== undefined && (quantifier === "" || quantifier === "+")) run += literal;
		if (literal === undefined || quantifier !== "") endRun();
	}
	endRun();
	return longest.text.length < SHORTEST ? undefined : longest;
}
