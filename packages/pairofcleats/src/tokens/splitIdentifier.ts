import { pairsOf, UNSPACED } from "./unspaced.ts";

const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const ASCII = /^\p{ASCII}*$/u;
/** Most words in code and questions: there is nothing to split. */
const PLAIN_WORD = /^[a-z]+$/;
/** The same in any script; what is written without spaces is taken whole, and into pairs. */
const ANY_PART = new RegExp(
	String.raw`${UNSPACED}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[[\p{L}\p{M}]--\p{Lu}--${UNSPACED}]+|\p{N}+`,
	"gv",
);
/** Accents of Latin, Greek and Cyrillic letters, which not everybody types and which some systems keep apart. */
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

/** Letters without their accents: `TrouverClé` gives trouver, cle. */
function splitAny(identifier: string): string[] {
	const plain = identifier.normalize("NFD").replaceAll(ACCENTS, "").normalize("NFC");
	return (plain.match(ANY_PART) ?? []).flatMap((part) => pairsOf(part.toLowerCase()));
}
