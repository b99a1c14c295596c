import { stem } from "./stem.ts";

const MAX_WORD = 40;

// Words of English, and of talking to an assistant, that say nothing about which tool is meant.
const STOP_WORDS = new Set(
	`a about actually after again all already also always am an and any anybody anymore anyone anything are aren as at
	basically be because been before being both but by can could couldn currently did didn do does doesn doing don each
	either else etc ever everybody everyone everything exactly few for from further given had hadn has hasn have haven
	having he help her here hers hey hi him his how i if in instead into is isn it its itself just let lets like likely
	likes ll longer may maybe me might more most must mustn my myself need needs no nor not nothing now of off on once
	only onto or other our ours out over own particular particularly per perhaps please possibly re really s same shall
	she should simply so some somebody somehow someone something such sure t tell than that the their theirs them then
	there these they thing things this those though through to too under until up upon us ve very via want wants was wasn
	way we were weren what whatever when where whether which while who whom whose why will with within without won would
	wouldn you your yours`.split(/\s+/),
);

/** Splits text and identifiers (snake, kebab, camel, digits) into lower-case words. */
export function words(text: string): string[] {
	return text
		.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
		.replace(AFTER_ACRONYM, "$1 $2")
		.replace(/(\p{L})(\d)|(\d)(\p{L})/gu, "$1$3 $2$4")
		.normalize("NFKC")
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.flatMap(unspaced)
		.filter((word) => word !== "" && word.length <= MAX_WORD);
}

/** Chinese, Japanese and Korean write words without spaces, or with their endings: every two letters count as one. */
function unspaced(run: string): readonly string[] {
	if (!EAST_ASIAN.test(run)) return [run];
	return (run.match(SCRIPTS) ?? []).flatMap((part) => {
		const letters = [...part];
		if (letters.length < 2 || !EAST_ASIAN.test(part)) return [part];
		return letters.slice(1).map((letter, before) => `${letters[before]}${letter}`);
	});
}

const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u;
const SCRIPTS =
	/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]+|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]+/gu;

// "HTTPServer" is two words, "URLs" is one.
const AFTER_ACRONYM = /(\p{Lu})(\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/gu;

/** Short forms that stand for several words; those that stand for one are in the lexicon. */
const SHORT_FORMS = new Map([
	["pr", ["pull", "request"]],
	["prs", ["pull", "request"]],
	["mr", ["merge", "request"]],
	["mrs", ["merge", "request"]],
	["ls", ["list", "directory"]],
	["mkdir", ["create", "directory"]],
]);

// Phrases whose words alone mean nothing, or something else.
const WHO_AM_I = /\bwho am i\b/gi;
const GET_RID_OF = /\bget(?:ting)? rid of\b/gi;
const ASKED_FOR = new Map([
	["many", "count"],
	["much", "amount size"],
	["big", "size"],
	["large", "size"],
	["long", "duration"],
	["often", "count"],
]);
const HOW = new RegExp(`\\bhow (${[...ASKED_FOR.keys()].join("|")})\\b`, "gi");

// A question about what is in the code asks for a search of it; the other words are what to search for.
const MOST_BETWEEN = "[^.?!\\n]{0,200}?\\b(?:in|of|does|within|across)\\s+(?:my|the|this|our|your)\\s+";
const CODE = `(?:where|how(?! (?:many|much|often|long|big|large)\\b)|which|who)\\b${MOST_BETWEEN}(?:source\\s+)?code(?:\\s?base)?`;
const REPOSITORY = `(?:where|which (?:file|function|class|method|module|line)s?)\\b${MOST_BETWEEN}(?:repo|repository)`;
const CODE_QUESTION = new RegExp(`\\b(?:${CODE}|${REPOSITORY})\\b[^.?!\\n]*`, "gi");

/** The words that carry meaning; when all are stop words, all of them. */
export function tellingWords(text: string): string[] {
	const asked = text
		.replace(CODE_QUESTION, "search code")
		.replace(HOW, (_, asked: string) => ASKED_FOR.get(asked.toLowerCase()) ?? "")
		.replace(WHO_AM_I, "whoami")
		.replace(GET_RID_OF, "delete");
	const all = words(asked).flatMap((word) => SHORT_FORMS.get(word) ?? word);
	const telling = all.filter((word) => !STOP_WORDS.has(word));
	return telling.length > 0 ? telling : all;
}

/** Whether a text has no word that carries meaning. */
export function saysNothing(text: string): boolean {
	return words(text).every((word) => STOP_WORDS.has(word));
}

/** Whether a text asks for tools in general, like "what tools are available", which every tool fits equally. */
export function asksForTools(text: string): boolean {
	const telling = words(text).filter((word) => !STOP_WORDS.has(word));
	return telling.some((word) => TOOLS.test(word)) && telling.every((word) => TOOLS.test(word) || LISTING.has(word));
}

const TOOLS = /^tools?$/;
const LISTING = new Set(["available", "display", "enumerate", "list", "show"]);

/** The words that carry meaning, stemmed. */
export function terms(text: string): string[] {
	return tellingWords(text).map(stem);
}
