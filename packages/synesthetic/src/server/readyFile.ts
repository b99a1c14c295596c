import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Says that requests are answered; the result takes it back. A file that cannot be written is a warning only. */
export function announceReady(file: string | undefined, warn: (text: string) => void): () => void {
	if (file === undefined) return () => {};
	const content = `${process.pid} ${new Date().toISOString()}\n`;
	try {
		place(resolve(file), content);
	} catch (error) {
		warn(`ready file not written: ${error instanceof Error && "code" in error ? error.code : "unknown"}`);
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

// Written beside and moved into place: nobody sees half of it, and a link planted there is not followed.
function place(file: string, content: string): void {
	// A device such as /dev/null would be moved over too, and be gone for everybody.
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

// Step by step: where nobody can make a folder, as in /proc, Node's own recursive way tries for ever.
function makeFolder(folder: string): void {
	if (existsSync(folder)) return;
	makeFolder(dirname(folder));
	try {
		mkdirSync(folder);
	} catch (error) {
		// Somebody else may have been quicker.
		if (!existsSync(folder)) throw error;
	}
}
