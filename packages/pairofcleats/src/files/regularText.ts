import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** A larger file is none of those that are read whole as text. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The text of a regular file; `undefined` for anything else, because reading a pipe or a device could take forever. */
export function regularText(path: string): string | undefined {
	let file: number | undefined;
	try {
		// Opening a pipe waits for its other end, unless it is told not to.
		file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		const stat = fstatSync(file);
		return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(file, "utf8") : undefined;
	} catch {
		return undefined; // Missing or unreadable.
	} finally {
		if (file !== undefined) closeSync(file);
	}
}
