import { errorCode } from "libmcp/command";
import { invalidField } from "./errors.ts";

/** What the system answers if no file can have such a path. */
const OF_PATHS: ReadonlySet<unknown> = new Set([
	"EEXIST",
	"EISDIR",
	"ELOOP",
	"ENAMETOOLONG",
	"ENOTDIR",
	"ERR_INVALID_ARG_VALUE",
]);

/** Does something with a path that a caller named. A path that cannot be used so is the caller's error, not ours. */
export function withPath<T>(field: string, expected: string, path: string, use: () => T): T {
	try {
		return use();
	} catch (error) {
		if (OF_PATHS.has(errorCode(error))) throw invalidField(field, expected, path);
		throw error;
	}
}
