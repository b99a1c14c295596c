import { createHash } from "node:crypto";
import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { regularText } from "../files/regularText.ts";
import { commonFolder, gitFolder, workTree } from "./gitFolder.ts";

/**
 * Changes when the same commits read differently in any of the folders, because a clone got commits that it lacked, a
 * `.mailmap` names their authors otherwise or `git replace` gave others in their place. "" if there is none of these.
 */
export function historyMark(root: string, places: Iterable<string>): string {
	const parts = ["", ...places].flatMap((place) => {
		const folder = join(root, place);
		const shared = sharedFolder(folder);
		return [...(shared === undefined ? [] : [shallowFile(shared), replaced(shared)]), mailmap(folder)];
	});
	return parts.every((part) => part === "") ? "" : createHash("sha256").update(parts.join("\0")).digest("base64url");
}

function sharedFolder(folder: string): string | undefined {
	try {
		const found = gitFolder(folder);
		return found === undefined ? undefined : commonFolder(found);
	} catch {
		return undefined;
	}
}

function shallowFile(folder: string): string {
	return regularText(join(folder, "shallow")) ?? "";
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
	const top = workTree(folder);
	const file = top && join(top, ".mailmap");
	try {
		return file && lstatSync(file).isFile() ? (regularText(file) ?? "") : "";
	} catch {
		return "";
	}
}
