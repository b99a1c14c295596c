import ignore from "ignore";

/** What the rules say of a path that is relative to where they stand, a folder's with a slash at its end. */
export type Verdict = "ignored" | "kept" | "silent";
export type IgnoreRules = (path: string) => Verdict;

/** Reads rules in gitignore syntax. */
export function ignoreRules(rules: string | readonly string[]): IgnoreRules {
	const matcher = ignore().add(typeof rules === "string" ? rules : [...rules]);
	const may = mayMatch(typeof rules === "string" ? rules.split(/\r?\n/) : rules);
	return (path) => {
		if (!may.test(path)) return "silent";
		const { ignored, unignored } = matcher.test(path);
		return ignored ? "ignored" : unignored ? "kept" : "silent";
	};
}

/**
 * Every rule has some characters that a path must have as they are, and most paths have those of none: one look tells
 * them apart, in a tenth of the time that trying the rules takes.
 */
function mayMatch(lines: readonly string[]): RegExp {
	const pieces = lines.filter((line) => line.trim() !== "" && !line.startsWith("#")).map(longestPiece);
	// Without rules nothing matches; a rule without such characters may match anything.
	if (pieces.includes("")) return /^/;
	return new RegExp(pieces.length === 0 ? "^\\b$" : pieces.map(escaped).join("|"), "i");
}

/** The longest run of plain characters in a rule; "" where there is none, or escapes make it hard to tell. */
function longestPiece(rule: string): string {
	if (rule.includes("\\")) return "";
	const runs = rule.replaceAll(/\[[^\]]*\]?/g, "*").match(/[\w.~#@%+=-]+/g) ?? [];
	return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}

function escaped(piece: string): string {
	return piece.replaceAll(/[^\w]/g, (mark) => `\\x${mark.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
