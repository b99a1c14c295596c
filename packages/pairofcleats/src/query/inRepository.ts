import { sep } from "node:path";
import type { SearchRequest } from "./request.ts";

/** The path relative to the repository, if it was given with the repository's folder in front. */
export function inRepository(root: string, path: string): string {
	if (path === root) return "";
	return path.startsWith(root + sep) ? path.slice(root.length + 1).replaceAll(sep, "/") : path;
}

/** Makes a request's path filters relative; an absolute path would match nothing or look like a `/regex/`. */
export function searchInRepository(root: string, request: SearchRequest): SearchRequest {
	if (request.path === undefined) return request;
	return { ...request, path: [request.path].flat().map((path) => inRepository(root, path)) };
}
