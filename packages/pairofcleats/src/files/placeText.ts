import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { workFile } from "./workFiles.ts";

/**
 * Writes a file, readable only by its owner, whole or not at all. What is no plain file, such as `/dev/stdout` or a
 * pipe, is written to, not replaced.
 */
export function placeText(path: string, text: string): void {
	const found = statSync(path, { throwIfNoEntry: false });
	if (found !== undefined && !found.isFile()) {
		writeFileSync(path, text);
		return;
	}
	// Of a link, the file that it leads to is replaced.
	const target = found === undefined ? path : realpathSync(path);
	const fresh = workFile(dirname(target), basename(target), "place");
	try {
		writeFileSync(fresh, text, { mode: 0o600, flag: "wx", flush: true });
		renameSync(fresh, target);
	} finally {
		rmSync(fresh, { force: true });
	}
}
