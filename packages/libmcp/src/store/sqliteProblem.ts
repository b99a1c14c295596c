import { StoreProblem } from "./storeProblem.ts";

/** SQLite's primary result codes that have a meaning of their own here. */
const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** What SQLite reports of a file, in words that say what to do. */
export function sqliteProblem(file: string, error: unknown): StoreProblem {
	const { errcode, errstr, message } = error as { errcode?: number; errstr?: string; message?: string };
	const said = errstr ?? message ?? String(error);
	switch ((errcode ?? 0) & 0xff) {
		case BUSY:
		case LOCKED:
			return new StoreProblem(
				"IN_USE",
				`${file}: another process uses this store; give each its own, such as --store sqlite:<another file>`,
				{ cause: error },
			);
		case CORRUPT:
		case NOT_A_DATABASE:
			return damaged(file, said, error);
		default:
			return new StoreProblem("UNAVAILABLE", `${file}: cannot be used now: ${said}`, { cause: error });
	}
}

/** The file is left as it is: whoever runs it may want to save something of it. */
export function damaged(file: string, detail: string, cause?: unknown): StoreProblem {
	return new StoreProblem(
		"DAMAGED",
		`${file}: the store is damaged (${detail}); it is kept as it is. Move it away to start without its sessions`,
		{ cause },
	);
}
