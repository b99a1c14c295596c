import { resolve } from "node:path";
import { normalizeLocation, normalizeMessage } from "libmcp";
import { CleatsError } from "../contract/errors.ts";

/** The arguments that name files or folders, whatever the tool. */
const PATHS = ["repoPath", "path", "inputPath", "outPath"] as const;

/** Replaces `file://` URIs, by which clients name their roots, with the paths they stand for. */
export function localPaths<Args extends object>(args: Args): Args {
	const given = Object.entries(args).filter(([name]) => PATHS.some((path) => path === name));
	const local = given.map(([name, value]) => [
		name,
		Array.isArray(value) ? value.map(localAt(name)) : localAt(name)(value),
	]);
	return local.length === 0 ? args : { ...args, ...Object.fromEntries(local) };
}

function localAt(field: string): (value: unknown) => unknown {
	return (value) => {
		// Other paths stay as they are: a name may hold what a URI may not.
		if (typeof value !== "string" || !/^file:\/\//i.test(value)) return value;
		const found = normalizeLocation(field, value);
		if (!found.ok) throw new CleatsError("INVALID_REQUEST", normalizeMessage(found.error), { field });
		return resolve(found.value);
	};
}
