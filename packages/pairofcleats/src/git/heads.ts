import { createHash } from "node:crypto";
import { existsSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { readRegularText } from "../files/readFiles.ts";
import { findCommonFolder, findGitFolder, findWorkTree } from "./gitFolder.ts";
import { QUICK, runGit } from "./runGit.ts";

type QuickHead = { readonly head: string; readonly branch: string };

/**
 * Reads the branch and commit of a repository from its files, because this runs before every search and starting git is
 * slow. `undefined` if the files are not enough (no repository, another reference format).
 */
export function readHeadFiles(root: string): QuickHead | undefined {
	try {
		const folder = findGitFolder(root);
		if (folder === undefined) return undefined;
		const head = (readRegularText(join(folder, "HEAD")) ?? "").trim();
		if (HASH.test(head)) return { head, branch: "" };
		const branch = /^ref: refs\/heads\/([^\0]+)$/.exec(head)?.[1];
		if (branch === undefined || branch.includes("..")) return undefined;
		const commit = commitOf(findCommonFolder(folder), `refs/heads/${branch}`);
		return commit === undefined ? undefined : { head: commit, branch };
	} catch {
		return undefined;
	}
}

const HASH = /^[0-9a-f]{40,64}$/;

function commitOf(folder: string, reference: string): string | undefined {
	const loose = join(folder, reference);
	if (existsSync(loose)) {
		const commit = (readRegularText(loose) ?? "").trim();
		return HASH.test(commit) ? commit : undefined;
	}
	const packed = (readRegularText(join(folder, "packed-refs")) ?? "").split("\n");
	return packed.find((line) => line.endsWith(` ${reference}`))?.split(" ")[0];
}

export type GitState = {
	readonly head: string;
	/** "" when no branch is checked out. */
	readonly branch: string;
};

/** The branch and commit of a repository; `undefined` without git or a repository. */
export async function askGitState(root: string, signal?: AbortSignal): Promise<GitState | undefined> {
	let text = "";
	const onOutput = (chunk: Buffer): void => {
		text += chunk.toString("utf8");
	};
	const named = await runGit(root, ["symbolic-ref", "--quiet", "--short", "HEAD"], {
		onOutput,
		signal,
		patience: QUICK,
	});
	if (named.kind !== "done") return undefined;
	const branch = text.trim();
	text = "";
	const resolved = await runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD"], {
		onOutput,
		signal,
		patience: QUICK,
	});
	return { head: resolved.kind === "done" && resolved.code === 0 ? text.trim() : "", branch };
}

/**
 * Changes when the same commits read differently in any of the folders, because a clone got commits that it lacked, a
 * `.mailmap` names their authors otherwise or `git replace` gave others in their place. "" if there is none of these.
 */
export function computeHistoryMark(root: string, places: Iterable<string>): string {
	const parts = ["", ...places].flatMap((place) => {
		const folder = join(root, place);
		const shared = sharedFolder(folder);
		return [...(shared === undefined ? [] : [shallowFile(shared), replaced(shared)]), mailmap(folder)];
	});
	return parts.every((part) => part === "") ? "" : createHash("sha256").update(parts.join("\0")).digest("base64url");
}

function sharedFolder(folder: string): string | undefined {
	try {
		const found = findGitFolder(folder);
		return found === undefined ? undefined : findCommonFolder(found);
	} catch {
		return undefined;
	}
}

function shallowFile(folder: string): string {
	return readRegularText(join(folder, "shallow")) ?? "";
}

/** When a replacement was last made or undone; there may be thousands of them. */
function replaced(folder: string): string {
	try {
		return String(statSync(join(folder, "refs", "replace")).mtimeMs);
	} catch {
		return "";
	}
}

/** Git reads it at the top of the work tree, committed or not, and follows no link. */
function mailmap(folder: string): string {
	const top = findWorkTree(folder);
	const file = top && join(top, ".mailmap");
	try {
		return file && lstatSync(file).isFile() ? (readRegularText(file) ?? "") : "";
	} catch {
		return "";
	}
}
