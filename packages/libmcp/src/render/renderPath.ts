import { posix } from "node:path";

/** A path as a reader of the root sees it: relative, with `/` on every platform; outside the root it stays absolute. */
export function renderPath(path: string, root: string): string {
	const target = slashed(path);
	const base = slashed(root);
	if (!isAbsolute(target)) return posix.normalize(target);
	if (target === base) return ".";
	const prefix = base.endsWith("/") ? base : `${base}/`;
	return target.startsWith(prefix) ? target.slice(prefix.length) : target;
}

function slashed(path: string): string {
	const normal = posix.normalize(path.replaceAll("\\", "/")).replace(/^[a-z]:/, (drive) => drive.toUpperCase());
	return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

function isAbsolute(path: string): boolean {
	return path.startsWith("/") || /^[A-Z]:\//.test(path);
}
