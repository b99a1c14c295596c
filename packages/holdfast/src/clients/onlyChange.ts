import { isDeepStrictEqual } from "node:util";
import { isRecord } from "./serverEntry.ts";

/** Throws if an edit changed anything but the value at `path`, so that a wrong edit is never written. */
export function checkOnlyChange(before: unknown, after: unknown, path: readonly string[], value: unknown): void {
	if (!isDeepStrictEqual(withoutEmpty(after), withoutEmpty(withValue(before, path, value))))
		throw new Error(`${path.join(".")}: expected to change this alone, and cannot in this layout; change it by hand`);
}

function withValue(tree: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
	if (first === undefined) return value;
	const members = isRecord(tree) ? tree : {};
	return { ...members, [first]: withValue(members[first], rest, value) };
}

/**
 * Drops empty members, because TOML cannot keep a table without entries. Numbers in lists become texts, because an edit
 * keeps unchanged arguments as they are written.
 */
function withoutEmpty(tree: unknown): unknown {
	if (Array.isArray(tree)) return tree.map((item) => (typeof item === "object" ? item : String(item)));
	if (!isRecord(tree) || tree instanceof Date) return tree;
	const members = Object.entries(tree).map(([name, value]) => [name, withoutEmpty(value)] as const);
	const said = members.filter(([, value]) => value !== undefined);
	return said.length === 0 ? undefined : Object.fromEntries(said);
}
