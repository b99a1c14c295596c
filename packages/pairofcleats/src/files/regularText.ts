import { readFileSync, statSync } from "node:fs";

/** The text of a regular file; `undefined` for anything else, because reading a pipe would block forever. */
export function regularText(path: string): string | undefined {
	try {
		return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
	} catch {
		return undefined;
	}
}
