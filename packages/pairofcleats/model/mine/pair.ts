/** A question and the code that answers it, as they occur together in a repository. */
export type Pair = {
	readonly kind: PairKind;
	readonly query: string;
	readonly code: string;
	/** Of the file the code is in, from the repository's root. */
	readonly path: string;
};

export const PAIR_KINDS = ["doc", "commit", "inline", "name", "path", "test", "mdcode", "mdmention", "file"] as const;
export type PairKind = (typeof PAIR_KINDS)[number];

/** Words that head every file and describe none. */
const BOILERPLATE =
	/licen[sc]e|copyright|all rights reserved|warranty|spdx|eslint-|@ts-|pylint|noqa|nolint|clang-format/i;

/** A comment worth asking with: a few words, in letters, that is not a licence or a directive. */
export function isQuestion(text: string): boolean {
	const words = text.match(/[A-Za-z]{2,}/g)?.length ?? 0;
	return words >= 3 && text.length < 2_000 && words * 2 >= text.length / 10 && !BOILERPLATE.test(text);
}

/** The first sentence or two: what a comment says, without its parameters and examples. */
export function gist(text: string): string {
	const body = text
		.split(/\n\s*(?:@\w+|:param|:return|Args:|Returns:|Parameters\b|Examples?:|```|>>>)/)[0]
		?.replace(/\s+/g, " ")
		.trim();
	if (!body) return "";
	const sentences = body.match(/[^.!?]+[.!?]+(?=\s|$)|[^.!?]+$/g) ?? [body];
	return sentences.slice(0, 2).join(" ").slice(0, 300);
}
