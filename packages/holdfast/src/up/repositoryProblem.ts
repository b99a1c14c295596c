import { accessSync, constants, statSync } from "node:fs";

/** What was expected of a folder that cannot be searched. An unreadable one would look empty, and its server not start. */
export function repositoryProblem(path: string): string | undefined {
	if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return "the folder of a repository";
	try {
		accessSync(path, constants.R_OK | constants.X_OK);
		return undefined;
	} catch {
		return "the folder of a repository that you may read";
	}
}
