import { pairsOf, UNSPACED } from "./unspaced.ts";

const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const ASCII = /^\p{ASCII}*$/u;
/** Matches most words in code and questions, which need no split. */
const PLAIN_WORD = /^[a-z]+$/;
/** The parts in any script. Runs of a script without spaces are kept whole here and split into pairs later. */
const ANY_PART = new RegExp(
	String.raw`${UNSPACED}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[[\p{L}\p{M}]--\p{Lu}--${UNSPACED}]+|\p{N}+`,
	"gv",
);
/** Accents of Latin, Greek and Cyrillic letters. Not everybody types them, and some systems store them separately. */
const ACCENTS = /[\u0300-\u036f]+/g;

/** The words inside an identifier, lower-cased: `parseHTTPHeader_v2` gives parse, http, header, v, 2. */
export function splitIdentifier(identifier: string): string[] {
	if (PLAIN_WORD.test(identifier)) return [identifier];
	if (!ASCII.test(identifier)) return splitAny(identifier);
	const parts = identifier.match(PART);
	if (parts === null) return [];
	for (let index = 0; index < parts.length; index++) parts[index] = (parts[index] ?? "").toLowerCase();
	return parts;
}

/** Drops accents: `TrouverClé` gives trouver, cle. */
function splitAny(identifier: string): string[] {
	const plain = identifier.normalize("NFD").replaceAll(ACCENTS, "").normalize("NFC");
	return (plain.match(ANY_PART) ?? []).flatMap((part) => pairsOf(part.toLowerCase()));
}
