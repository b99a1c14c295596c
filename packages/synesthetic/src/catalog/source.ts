import { statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Settings } from "../settings.ts";

/** A folder to read from, and the prefix its files are listed under. */
export type Source = { readonly directory: string; readonly prefix: string };

const SUBMODULE = "libs/synesthetic-schemas";

/** The configured folder, else the submodule's under the working directory, else nothing. */
export function findSchemaSource(settings: Settings): Source | undefined {
	return sourceOf(settings.schemasDirectory, `${SUBMODULE}/jsonschema`, settings.workingDirectory);
}

export function findExampleSource(settings: Settings): Source | undefined {
	return sourceOf(settings.examplesDirectory, `${SUBMODULE}/examples`, settings.workingDirectory);
}

function sourceOf(configured: string | undefined, otherwise: string, workingDirectory: string): Source | undefined {
	const directory = resolve(workingDirectory, configured ?? otherwise);
	if (!isDirectory(directory)) return undefined;
	return { directory, prefix: prefixOf(directory, configured ?? otherwise, workingDirectory) };
}

// Never shows absolute paths of the server's machine: files in a folder elsewhere are listed relative to that folder.
function prefixOf(directory: string, written: string, workingDirectory: string): string {
	if (!isAbsolute(written)) return withSlash(join(written).split(sep).join("/"));
	const inside = relative(workingDirectory, directory);
	return inside.startsWith("..") || isAbsolute(inside) ? "" : withSlash(inside.split(sep).join("/"));
}

function withSlash(path: string): string {
	return path === "" || path === "." ? "" : path.endsWith("/") ? path : `${path}/`;
}

function isDirectory(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}
