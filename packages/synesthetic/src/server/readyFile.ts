import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode, makeFolder } from "libmcp/command";
import { startedPid } from "libmcp/launch";

/**
 * Writes the ready file and returns a function that removes it. If the file cannot be written, that is only a warning.
 */
export function announceReady(file: string | undefined, warn: (text: string) => void): () => void {
	if (file === undefined) return () => {};
	const content = `${startedPid()} ${new Date().toISOString()}\n`;
	try {
		place(resolve(file), content);
	} catch (error) {
		warn(`ready file not written: ${errorCode(error) ?? "unknown"}`);
		return () => {};
	}
	return () => {
		try {
			// Another server may have taken the file over since.
			if (readFileSync(file, "utf8") === content) rmSync(file);
		} catch {
			// Gone already.
		}
	};
}

// Writes a draft and renames it, so that nobody reads half a file and a planted link is not followed.
function place(file: string, content: string): void {
	// Renaming over a device such as /dev/null would replace it for everybody.
	const there = lstatSync(file, { throwIfNoEntry: false });
	if (there !== undefined && !there.isFile() && !there.isSymbolicLink())
		throw Object.assign(new Error("there is something else than a file"), { code: "EEXIST" });
	makeFolder(dirname(file));
	const draft = `${file}.${process.pid}`;
	writeFileSync(draft, content, { flag: "wx" });
	try {
		renameSync(draft, file);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
}
