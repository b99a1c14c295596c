import { splitIdentifier } from "./splitIdentifier.ts";

const IDENTIFIER = /[A-Za-z][A-Za-z0-9_]*/g;

/** The tokens that a static embedding table is trained and used with: no stem, no digits, no stop list. */
export function embeddingTokens(text: string): string[] {
	const tokens: string[] = [];
	for (const identifier of text.match(IDENTIFIER) ?? []) {
		for (const token of embeddingTokensOfWord(identifier)) tokens.push(token);
	}
	return tokens;
}

function embeddingTokensOfWord(identifier: string): string[] {
	return splitIdentifier(identifier).filter((part) => part.length >= 2 && part.length <= 24 && !isDigit(part));
}

function isDigit(part: string): boolean {
	const code = part.charCodeAt(0);
	return code >= 48 && code <= 57;
}

/** The tokens of the last four parts of a path, without the extension. */
export function pathEmbeddingTokens(path: string): string[] {
	return embeddingTokens(
		path
			.replace(/\.[^./]*$/, "")
			.split("/")
			.slice(-4)
			.join("/"),
	);
}
