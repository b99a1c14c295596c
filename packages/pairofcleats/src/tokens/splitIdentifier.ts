const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const ASCII = /^\p{ASCII}*$/u;
/** Most words in code and questions: there is nothing to split. */
const PLAIN_WORD = /^[a-z]+$/;
const LETTERS = /[\p{L}\p{M}]+|\p{N}+/gu;

/** The words inside an identifier, lower-cased: `parseHTTPHeader_v2` gives parse, http, header, v, 2. */
export function splitIdentifier(identifier: string): string[] {
	if (PLAIN_WORD.test(identifier)) return [identifier];
	const parts = ASCII.test(identifier) ? identifier.match(PART) : identifier.match(LETTERS);
	if (parts === null) return [];
	for (let index = 0; index < parts.length; index++) parts[index] = (parts[index] ?? "").toLowerCase();
	return parts;
}
