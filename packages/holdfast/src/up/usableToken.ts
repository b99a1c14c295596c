const EXPECTED = "letters, digits and any of - . _ ~ + / without blanks";

/** Thrown for a token that no client could send. */
export class TokenUnusable extends Error {
	override readonly name = "TokenUnusable";
	readonly expected = EXPECTED;

	constructor() {
		super(`token: expected ${EXPECTED}`);
	}
}

/** A token that no client can send would lock everyone out, and an empty one would let everyone in. */
export function usableToken(token: string): string {
	if (/^[\w.~+/-]+=*$/.test(token)) return token;
	throw new TokenUnusable();
}
