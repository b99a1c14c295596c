/** As many as a key in the configuration must have, which opens less. */
const SHORTEST = 16;
const EXPECTED = `at least ${SHORTEST} letters, digits and any of - . _ ~ + / without blanks`;

/** Thrown for a token that no client could send, or that others could guess. */
export class TokenUnusable extends Error {
	override readonly name = "TokenUnusable";
	readonly expected = EXPECTED;

	constructor() {
		super(`token: expected ${EXPECTED}`);
	}
}

/** A token that no client can send would lock everyone out, and an empty or short one would let everyone in. */
export function usableToken(token: string): string {
	if (token.length >= SHORTEST && /^[\w.~+/-]+=*$/.test(token)) return token;
	throw new TokenUnusable();
}
