import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

/** Never source, whatever the ignore files say: version control, installed packages, caches. */
export const NEVER_ENTERED: ReadonlySet<string> = new Set([
	...[".git", ".hg", ".svn", ".jj", "CVS", "node_modules", "bower_components", "__pycache__", ".venv", "venv"],
	...[".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle", ".terraform", ".next", ".nuxt"],
	...[".turbo", ".cache", ".parcel-cache", ".pnpm-store", ".yarn", ".eggs"],
]);
export const IGNORE_FILES = [".gitignore", ".ignore"] as const;
const MAX_DEPTH = 64;

type Rules = { readonly base: string; readonly matcher: Ignore };

/** Lists a plain folder; ignore rules are applied before a folder is entered, symbolic links are listed, never followed. */
export async function walkFolder(
	root: string,
	exclude: readonly string[],
	signal?: AbortSignal,
): Promise<readonly string[]> {
	const paths: string[] = [];
	const outer: Rules[] = exclude.length > 0 ? [{ base: "", matcher: ignore().add([...exclude]) }] : [];
	await walk(root, "", outer, 0, paths, signal);
	return paths;
}

async function walk(
	root: string,
	base: string,
	outer: readonly Rules[],
	depth: number,
	paths: string[],
	signal: AbortSignal | undefined,
): Promise<void> {
	signal?.throwIfAborted();
	// A folder that cannot be read, or went away, holds no files we can index.
	const entries = await readdir(join(root, base), { withFileTypes: true }).catch(() => []);
	const rules = [...outer, ...(await readRules(root, base, entries))];
	const folders: string[] = [];
	for (const entry of entries) {
		const path = `${base}${entry.name}`;
		if (entry.isDirectory()) {
			if (!NEVER_ENTERED.has(entry.name) && !ignored(`${path}/`, rules)) folders.push(path);
		} else if (!ignored(path, rules)) paths.push(path);
	}
	if (depth >= MAX_DEPTH) return;
	for (const folder of folders) await walk(root, `${folder}/`, rules, depth + 1, paths, signal);
}

async function readRules(root: string, base: string, entries: readonly Dirent[]): Promise<Rules[]> {
	const rules: Rules[] = [];
	for (const name of IGNORE_FILES) {
		if (!entries.some((entry) => entry.name === name)) continue;
		const text = await readFile(join(root, base, name), "utf8").catch(() => undefined);
		if (text !== undefined) rules.push({ base, matcher: ignore().add(text) });
	}
	return rules;
}

/** The deepest ignore file that speaks of a path decides, as in git. */
function ignored(path: string, rules: readonly Rules[]): boolean {
	for (const { base, matcher } of rules.toReversed()) {
		const verdict = matcher.test(path.slice(base.length));
		if (verdict.ignored) return true;
		if (verdict.unignored) return false;
	}
	return false;
}
