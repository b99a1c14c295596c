/** Thrown for a token that no client could send, or that others could guess. */
export class TokenUnusable extends Error {
	override readonly name = "TokenUnusable";
	readonly expected: string;

	constructor(expected: string) {
		super(`token: expected ${expected}`);
		this.expected = expected;
	}
}
