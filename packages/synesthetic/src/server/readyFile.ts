import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Says that requests are answered; the result takes it back. A file that cannot be written is a warning only. */
export function announceReady(file: string | undefined, warn: (text: string) => void): () => void {
	if (file === undefined) return () => {};
	const content = `${process.pid} ${new Date().toISOString()}\n`;
	const draft = `${file}.${process.pid}`;
	try {
		mkdirSync(dirname(file), { recursive: true });
		// Written beside and moved into place: nobody sees half of it, and a link planted there is not followed.
		writeFileSync(draft, content, { flag: "wx" });
		renameSync(draft, file);
	} catch (error) {
		rmSync(draft, { force: true });
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
