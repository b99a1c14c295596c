import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The first place inside the root, relative to it and with forward slashes. */
export function findPathInside(root: string, places: readonly string[]): string | undefined {
	for (const place of places) {
		const path = pathOf(place);
		if (path === undefined) continue;
		const inside = insideOf(root, resolve(root, path)) ?? (isAbsolute(path) ? insideOf(root, linked(path)) : undefined);
		if (inside !== undefined) return inside;
	}
	return undefined;
}

function insideOf(root: string, path: string): string | undefined {
	const inside = relative(root, path).replaceAll("\\", "/");
	return inside === "" || inside === ".." || inside.startsWith("../") || isAbsolute(inside) ? undefined : inside;
}

/** The path in the folder that its own folder is linked to: the root is known by its real path only. */
function linked(path: string): string {
	try {
		return join(realpathSync(dirname(path)), basename(path));
	} catch {
		return path;
	}
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
