import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegularText } from "../files/readFiles.ts";
import { askGitState, readHeadFiles } from "./heads.ts";

const DEEPEST = 8;
const MOST = 256;

/** The paths of a repository's checked-out submodules, including nested ones. */
export function listSubmodules(root: string): readonly string[] {
	const found: string[] = [];
	const enter = (folder: string, depth: number): void => {
		for (const path of readDeclaredSubmodules(join(root, folder))) {
			const place = folder === "" ? path : `${folder}/${path}`;
			if (found.length >= MOST || found.includes(place) || !isCheckedOut(root, place)) continue;
			found.push(place);
			if (depth < DEEPEST) enter(place, depth + 1);
		}
	};
	enter("", 1);
	return found;
}

/** The commit of each submodule; "" if it is unknown. */
export async function readSubmoduleHeads(
	root: string,
	places: readonly string[],
	signal?: AbortSignal,
): Promise<Record<string, string>> {
	const heads: Record<string, string> = {};
	for (const place of places) {
		const folder = join(root, place);
		heads[place] = (readHeadFiles(folder) ?? (await askGitState(folder, signal)))?.head ?? "";
	}
	return heads;
}

/** The repository of a file, which may be a submodule, and the file's path in it. */
export function findRepositoryOfFile(root: string, path: string): { readonly root: string; readonly path: string } {
	for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
		if (existsSync(join(root, folder, ".git")))
			return { root: join(root, folder), path: path.slice(folder.length + 1) };
	}
	return { root, path };
}

const PATH_LINE = /^[ \t]*path[ \t]*=[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|([^#;"\n]*))/gim;

/** The submodule paths that a repository declares. Untrusted: only paths below the root count. */
export function readDeclaredSubmodules(root: string): string[] {
	const text = readRegularText(join(root, ".gitmodules")) ?? "";
	return [...text.matchAll(PATH_LINE)].flatMap(([, quoted, plain = ""]) => {
		const path = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain.trim();
		return path.split("/").some((part) => part === "" || part === "." || part === "..") ? [] : [path];
	});
}

/** False if the path contains a symbolic link. */
function isCheckedOut(root: string, place: string): boolean {
	const folder = join(root, place);
	return existsSync(join(folder, ".git")) && realpathSync(folder) === join(realpathSync(root), place);
}
