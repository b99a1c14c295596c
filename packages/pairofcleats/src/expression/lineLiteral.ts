import { rarest } from "./literalFinder.ts";

/** Plain characters and classes without line breaks, which cannot match across lines. */
const ATOM = String.raw`[^\\[(|\p{Cc}]|\\[wdbBS]|\\[^\p{L}\p{N}\p{Cc}]|\[(?!\^)(?:[^\]\\\p{Cc}]|\\[wdS]|\\[^\p{L}\p{N}\p{Cc}])*\]`;
const WITHOUT_GROUPS = new RegExp(`^(?:${ATOM})*$`, "u");
/** Also allows groups, except those that change flags. */
const WITH_GROUPS = new RegExp(String.raw`^(?:${ATOM}|\||\((?:(?!\?)|\?[:=!<]))*$`, "u");
const TOKEN = /(\[(?:\\.|[^\]\\])*\]|\\.|.)([*+?]|\{\d+(?:,\d*)?\})?\??/gsu;
const SHORTEST = 3;

/** `leads` tells whether every match begins with the literal. */
export type LineLiteral = { readonly text: string; readonly leads: boolean };

/**
 * A literal that every line matched by the pattern contains, if the pattern matches only within single lines, so that
 * other lines can be skipped. `undefined` if there is none, or it cannot be determined.
 */
export function lineLiteral(source: string, flags: string): LineLiteral | undefined {
	if (/[^gmu]/.test(flags) || !WITHOUT_GROUPS.test(source)) return undefined;
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
		const literal = /^(?:[^\\[.]|\\[^\p{L}\p{N}])$/u.test(token) ? token.replace(/^\\/, "") : undefined;
		if (literal !== undefined && (quantifier === "" || quantifier === "+")) run += literal;
		if (literal === undefined || quantifier !== "") endRun();
	}
	endRun();
	return best && { text: best.text, leads: best.leads };
}

/** Whether every match is certain to lie within one line. */
export function staysInLine(source: string, flags: string): boolean {
	return !flags.includes("s") && WITH_GROUPS.test(source);
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
