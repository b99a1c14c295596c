import { stem } from "./stem.ts";

const MAX_WORD = 40;

// Words of English, and of talking to an assistant, that say nothing about which tool is meant.
const STOP_WORDS = new Set(
	`a about after again all also am an and any are as at be because been before being both but by can could did do does
	doing each either else etc ever few for from further given had has have having he help her here hers him his how i if
	in into is it its itself just let lets like ll may me might more most must my myself need needs no nor not now of off
	on once only onto or other our ours out over own per please s same shall she should so some such t than that the their
	theirs them then there these they this those through to too under until up upon us ve very via want wants was way we
	were what whatever when where whether which while who whom whose why will with within without would you your yours`.split(
		/\s+/,
	),
);

/** Splits text and identifiers (snake, kebab, camel, digits) into lower-case words. */
export function words(text: string): string[] {
	return text
		.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
		.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
		.replace(/(\p{L})(\d)|(\d)(\p{L})/gu, "$1$3 $2$4")
		.normalize("NFKC")
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== "" && word.length <= MAX_WORD);
}

// Two-word phrases whose words alone mean nothing, or something else.
const ASKED_FOR = new Map([
	["many", "count"],
	["much", "amount size"],
	["big", "size"],
	["large", "size"],
	["long", "duration"],
	["often", "count"],
]);
const HOW = new RegExp(`\\bhow (${[...ASKED_FOR.keys()].join("|")})\\b`, "gi");

/** The words that carry meaning; when all are stop words, all of them. */
export function tellingWords(text: string): string[] {
	const all = words(text.replace(HOW, (_, asked: string) => ASKED_FOR.get(asked.toLowerCase()) ?? ""));
	const telling = all.filter((word) => !STOP_WORDS.has(word));
	return telling.length > 0 ? telling : all;
}

/** The words that carry meaning, stemmed. */
export function terms(text: string): string[] {
	return tellingWords(text).map(stem);
}
