import { sep } from "node:path";
import type { SearchRequest } from "./request.ts";

/** A path as the repository has it, where it was given with the repository's own folder before it. */
export function inRepository(root: string, path: string): string {
	if (path === root) return "";
	return path.startsWith(root + sep) ? path.slice(root.length + 1).replaceAll(sep, "/") : path;
}

/** A search whose paths are such: as they were, they would be parts of none, or expressions. */
export function searchInRepository(root: string, request: SearchRequest): SearchRequest {
	if (request.path === undefined) return request;
	return { ...request, path: [request.path].flat().map((path) => inRepository(root, path)) };
}
