import { posix } from "node:path";

/** A path relative to the root, with `/` on every platform; a path outside the root stays absolute. */
export function renderPath(path: string, root: string): string {
	const target = withSlashes(path);
	const base = withSlashes(root);
	if (!isAbsolute(target)) return posix.normalize(target);
	if (target === base) return ".";
	const prefix = base.endsWith("/") ? base : `${base}/`;
	return target.startsWith(prefix) ? target.slice(prefix.length) : target;
}

function withSlashes(path: string): string {
	const normal = posix.normalize(path.replaceAll("\\", "/")).replace(/^[a-z]:/, (drive) => drive.toUpperCase());
	return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

function isAbsolute(path: string): boolean {
	return path.startsWith("/") || /^[A-Z]:\//.test(path);
}
