import { type Dirent, readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { errorCode } from "libmcp/command";
import { readRegularText } from "../files/readFiles.ts";
import { compileIgnoreRules, IGNORE_FILES, type IgnoreRules, NEVER_ENTERED } from "./ignoreRules.ts";

/** Synchronous calls are several times cheaper per folder; yield to the event loop after this many. */
const BATCH = 200;

type Rules = { readonly base: string; readonly verdict: IgnoreRules };
type Folder = { readonly base: string; readonly outer: readonly Rules[] };

/** Lists a plain folder. Applies ignore rules before entering a folder. Lists symbolic links but never follows them. */
export async function walkFolder(
	root: string,
	exclude: readonly string[],
	signal?: AbortSignal,
): Promise<readonly string[]> {
	const paths: string[] = [];
	const outer: Rules[] = exclude.length > 0 ? [{ base: "", verdict: compileIgnoreRules(exclude) }] : [];
	const waiting: Folder[] = [{ base: "", outer }];
	let looks = 0;
	for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
		signal?.throwIfAborted();
		enter(root, folder, paths, waiting);
		if (++looks % BATCH === 0) await nextTurn();
	}
	return paths;
}

function enter(root: string, { base, outer }: Folder, paths: string[], waiting: Folder[]): void {
	const entries = entriesOf(`${root}/${base}`);
	if (entries === undefined) {
		// Listed itself, so that it is counted as skipped.
		paths.push(base.slice(0, -1) || ".");
		return;
	}
	const found = readRules(root, base, entries);
	const rules = found.length === 0 ? outer : [...outer, ...found];
	for (const entry of entries) {
		// A file in a submodule or a linked work tree.
		if (entry.name === ".git") continue;
		const path = base + entry.name;
		if (entry.isDirectory()) {
			if (NEVER_ENTERED.has(entry.name) || ignored(`${path}/`, rules)) continue;
			waiting.push({ base: `${path}/`, outer: rules });
		} else if (!ignored(path, rules)) paths.push(path);
	}
}

/** `undefined` for a folder that cannot be read; empty for one that no longer exists. */
function entriesOf(folder: string): Dirent[] | undefined {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch (error) {
		return errorCode(error) === "ENOENT" ? [] : undefined;
	}
}

function readRules(root: string, base: string, entries: readonly Dirent[]): Rules[] {
	const rules: Rules[] = [];
	for (const name of IGNORE_FILES) {
		if (!entries.some((entry) => entry.name === name)) continue;
		const text = readRegularText(`${root}/${base}${name}`);
		if (text !== undefined) rules.push({ base, verdict: compileIgnoreRules(text) });
	}
	return rules;
}

/** The deepest ignore file with a matching rule decides, as in git. */
function ignored(path: string, rules: readonly Rules[]): boolean {
	for (let index = rules.length - 1; index >= 0; index--) {
		const rule = rules[index];
		const verdict = rule?.verdict(path.slice(rule.base.length)) ?? "silent";
		if (verdict !== "silent") return verdict === "ignored";
	}
	return false;
}
