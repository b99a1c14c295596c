import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The first place inside the root, relative to it and with forward slashes. */
export function pathInside(root: string, places: readonly string[]): string | undefined {
	for (const place of places) {
		const path = pathOf(place);
		if (path === undefined) continue;
		const inside = relative(root, resolve(root, path)).replaceAll("\\", "/");
		if (inside !== "" && !inside.startsWith("../") && inside !== ".." && !isAbsolute(inside)) return inside;
	}
	return undefined;
}

/** The path itself, or the path of a `file:` URL; `undefined` for other URLs. */
function pathOf(place: string): string | undefined {
	if (place === "" || place.includes("\0")) return undefined;
	if (!/^[a-z][a-z\d+.-]+:/i.test(place)) return place;
	try {
		return fileURLToPath(place);
	} catch {
		return undefined;
	}
}
