import ignore from "ignore";

/** The rules' verdict on a path relative to their file. A folder's path ends with a slash. */
type Verdict = "ignored" | "kept" | "silent";
export type IgnoreRules = (path: string) => Verdict;

/** Git compares without case where file systems usually do. */
const IGNORES_CASE = process.platform === "darwin" || process.platform === "win32";

/** Reads rules in gitignore syntax. */
export function compileIgnoreRules(rules: string | readonly string[]): IgnoreRules {
	const matcher = ignore({ ignorecase: IGNORES_CASE }).add(typeof rules === "string" ? rules : [...rules]);
	const may = mayMatch(typeof rules === "string" ? rules.split(/\r?\n/) : rules);
	return (path) => {
		if (!may.test(path)) return "silent";
		const { ignored, unignored } = matcher.test(path);
		return ignored ? "ignored" : unignored ? "kept" : "silent";
	};
}

/**
 * A regular expression that matches every path any rule could match. Each rule requires some literal characters that
 * most paths lack, so this test takes a tenth of the time of trying the rules.
 */
function mayMatch(lines: readonly string[]): RegExp {
	const pieces = lines.filter((line) => line.trim() !== "" && !line.startsWith("#")).map(longestPiece);
	// Without rules, nothing matches. A rule without literal characters could match anything.
	if (pieces.includes("")) return /^/;
	return new RegExp(pieces.length === 0 ? "^\\b$" : pieces.map(escaped).join("|"), "i");
}

/** The longest run of literal characters in a rule; "" if there is none or the rule has escapes. */
function longestPiece(rule: string): string {
	if (rule.includes("\\")) return "";
	const runs = rule.replaceAll(/\[[^\]]*\]?/g, "*").match(/[\w.~#@%+=-]+/g) ?? [];
	return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}

function escaped(piece: string): string {
	return piece.replaceAll(/[^\w]/g, (mark) => `\\x${mark.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** Folders that never contain source code, regardless of ignore files: version control, installed packages, caches. */
export const NEVER_ENTERED: ReadonlySet<string> = new Set([
	...[".git", ".hg", ".svn", ".jj", "CVS", "node_modules", "bower_components", "__pycache__", ".venv", "venv"],
	...[".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle", ".terraform", ".next", ".nuxt"],
	...[".turbo", ".cache", ".parcel-cache", ".pnpm-store", ".yarn", ".eggs"],
]);
export const IGNORE_FILES = [".gitignore", ".ignore"] as const;
