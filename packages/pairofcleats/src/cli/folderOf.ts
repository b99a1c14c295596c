import { tooWide, UsageError } from "libmcp/command";
import { existingFolder } from "../repo/existingFolder.ts";
import { type ReadFlags, textFlag } from "./flags.ts";

/** The folder that `--repo` names, else the current one, unless that is the home folder or the disk's root. */
export function folderOf(values: ReadFlags["values"]): string {
	const named = textFlag(values, "repoPath");
	if (named !== undefined) return existingFolder(named);
	const here = process.cwd();
	const astray = tooWide(here);
	if (astray === undefined) return here;
	throw new UsageError(
		`--repo: expected a repository, got nothing, and ${here} is ${astray}; change to a project's folder, or name this one to mean it`,
	);
}
