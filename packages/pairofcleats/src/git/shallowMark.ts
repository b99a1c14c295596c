import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commonFolder, gitFolder } from "./gitFolder.ts";

/** Changes when a clone gets commits that it lacked, in any of the folders; "" if no history is cut off. */
export function shallowMark(root: string, places: Iterable<string>): string {
	const ends = ["", ...places].map((place) => shallowFile(join(root, place)));
	return ends.every((end) => end === "") ? "" : createHash("sha256").update(ends.join("\0")).digest("base64url");
}

function shallowFile(folder: string): string {
	try {
		const found = gitFolder(folder);
		return found === undefined ? "" : readFileSync(join(commonFolder(found), "shallow"), "utf8");
	} catch {
		return "";
	}
}
