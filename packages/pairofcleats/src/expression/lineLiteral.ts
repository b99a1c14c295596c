import { rarest } from "./literalFinder.ts";

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
	let best: (LineLiteral & { readonly rarity: number }) | undefined;
	let run = "";
	let leads = true;
	const endRun = (): void => {
		const { rarity } = rarest(run);
		if (run.length >= SHORTEST && rarity > (best?.rarity ?? -1)) best = { text: run, leads, rarity };
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
	return best && { text: best.text, leads: best.leads };
}

/** The alternatives of a pattern without groups, each of which may have a literal of its own. */
export function alternativesOf(source: string): readonly string[] {
	if (source.includes("(")) return [source];
	const alternatives: string[] = [];
	let from = 0;
	for (const { 0: token, index } of source.matchAll(/\[(?:\\.|[^\]\\])*\]|\\.|\|/gsu)) {
		if (token !== "|") continue;
		alternatives.push(source.slice(from, index));
		from = index + 1;
	}
	return [...alternatives, source.slice(from)];
}
