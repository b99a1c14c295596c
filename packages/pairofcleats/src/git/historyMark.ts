import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commonFolder, gitFolder, workTree } from "./gitFolder.ts";

/**
 * Changes when the same commits read differently in any of the folders, because a clone got commits that it lacked or a
 * `.mailmap` names their authors otherwise. "" if no history is cut off and no author is renamed.
 */
export function historyMark(root: string, places: Iterable<string>): string {
	const parts = ["", ...places].flatMap((place) => [shallowFile(join(root, place)), mailmap(join(root, place))]);
	return parts.every((part) => part === "") ? "" : createHash("sha256").update(parts.join("\0")).digest("base64url");
}

function shallowFile(folder: string): string {
	try {
		const found = gitFolder(folder);
		return found === undefined ? "" : readFileSync(join(commonFolder(found), "shallow"), "utf8");
	} catch {
		return "";
	}
}

/** Git reads it at the top of the work tree, committed or not, and follows no link. */
function mailmap(folder: string): string {
	const top = workTree(folder);
	const file = top && join(top, ".mailmap");
	try {
		return file && lstatSync(file).isFile() ? readFileSync(file, "utf8") : "";
	} catch {
		return "";
	}
}
