// Porter's algorithm (1980). A stem is written as its letters' classes: [C](VC){m}[V], y being a vowel after a consonant.
const CONSONANT = "(?:[^aeiouy]|(?<![^aeiouy])y)";
const VOWEL = "(?:[aeiou]|(?<=[^aeiouy])y)";
const ONE_MEASURE = new RegExp(`${VOWEL}+${CONSONANT}+`, "g");
const HAS_VOWEL = new RegExp(VOWEL);
const DOUBLE_CONSONANT = /([^aeiouylsz])\1$/;
const SHORT_END = new RegExp(`${CONSONANT}${VOWEL}[^aeiouwxy]$`);

type Rule = readonly [suffix: string, becomes: string];

const STEP_2: readonly Rule[] = [
	["ational", "ate"],
	["tional", "tion"],
	["enci", "ence"],
	["anci", "ance"],
	["izer", "ize"],
	["abli", "able"],
	["alli", "al"],
	["entli", "ent"],
	["eli", "e"],
	["ousli", "ous"],
	["ization", "ize"],
	["ation", "ate"],
	["ator", "ate"],
	["alism", "al"],
	["iveness", "ive"],
	["fulness", "ful"],
	["ousness", "ous"],
	["aliti", "al"],
	["iviti", "ive"],
	["biliti", "ble"],
];
const STEP_3: readonly Rule[] = [
	["icate", "ic"],
	["ative", ""],
	["alize", "al"],
	["iciti", "ic"],
	["ical", "ic"],
	["ful", ""],
	["ness", ""],
];
const STEP_4: readonly Rule[] = [
	..."ement ment ance ence able ible ant ent ism ate iti ous ive ize al er ic ou".split(" ").map((s): Rule => [s, ""]),
	["sion", "s"],
	["tion", "t"],
];

// Kept apart from "find" and "set": findings and settings are things, and tools deal with both.
const THINGS: ReadonlySet<string> = new Set(["finding", "setting"]);

// A cache: catalogues repeat their words, and a lookup is cheaper than the rules.
const known = new Map<string, string>();
const MAX_KNOWN = 20_000;
/** V8 stores a longer substring as a view of the text, so caching one would keep the whole text in memory. */
const MAX_COPIED = 12;

/** The Porter stem of a lower-case English word; other words are returned as they are. */
export function stem(word: string): string {
	if (word.length > MAX_COPIED) return work(word);
	const found = known.get(word);
	if (found !== undefined) return found;
	if (known.size >= MAX_KNOWN) known.clear();
	const stemmed = work(word);
	known.set(word, stemmed);
	return stemmed;
}

function work(word: string): string {
	if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
	const singular = withoutPlural(word);
	const base = THINGS.has(singular) ? singular : withoutInflection(singular);
	const softened = base.endsWith("y") && HAS_VOWEL.test(base.slice(0, -1)) ? `${base.slice(0, -1)}i` : base;
	return withoutFinalE(apply(STEP_4, apply(STEP_3, apply(STEP_2, softened, 1), 1), 2));
}

function withoutPlural(word: string): string {
	if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
	return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function withoutInflection(word: string): string {
	if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
	const suffix = /(?:ed|ing)$/.exec(word)?.[0];
	if (suffix === undefined) return word;
	const base = word.slice(0, -suffix.length);
	if (!HAS_VOWEL.test(base)) return word;
	if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
	if (DOUBLE_CONSONANT.test(base)) return base.slice(0, -1);
	return measure(base) === 1 && SHORT_END.test(base) ? `${base}e` : base;
}

// Only the longest suffix that fits is tried, whether or not its condition then holds.
function apply(rules: readonly Rule[], word: string, least: number): string {
	let best: Rule | undefined;
	for (const rule of rules) if (word.endsWith(rule[0]) && rule[0].length > (best?.[0].length ?? 0)) best = rule;
	if (best === undefined) return word;
	const base = word.slice(0, -best[0].length);
	return measure(base + best[1].slice(0, least === 2 ? 1 : 0)) >= least ? base + best[1] : word;
}

function withoutFinalE(word: string): string {
	const base = word.slice(0, -1);
	if (word.endsWith("e") && (measure(base) > 1 || (measure(base) === 1 && !SHORT_END.test(base)))) return base;
	return word.endsWith("ll") && measure(word) > 1 ? base : word;
}

function measure(word: string): number {
	return word.match(ONE_MEASURE)?.length ?? 0;
}
