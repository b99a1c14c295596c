import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { walkFolder } from "./walkFolder.ts";

/** The path of a pipe in the place of an ignore file, on which git would wait forever; `undefined` if there is none. */
export async function ignorePipe(root: string): Promise<string | undefined> {
	const paths = await walkFolder(root, []);
	return paths.find((path) => basename(path) === ".gitignore" && isPipe(join(root, path)));
}

function isPipe(path: string): boolean {
	return lstatSync(path, { throwIfNoEntry: false })?.isFIFO() ?? false;
}
