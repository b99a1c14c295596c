import { execFile } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import ignore from "ignore";
import { GIT_SAFE_FLAGS, gitEnvironment } from "../git/safeGit.ts";
import { insideRepository } from "./insideRepository.ts";

export type GitListing =
	| { readonly kind: "listed"; readonly paths: readonly string[] }
	| { readonly kind: "notGit" }
	| { readonly kind: "failed"; readonly warning: string };

/** Submodules and nested checkouts are listed by git as one folder; deeper nesting than this is not entered. */
const MAX_NESTED_REPOSITORIES = 8;

/** Tracked files and untracked ones that are not ignored, by one call of git per repository. */
export async function listGitFiles(
	root: string,
	exclude: readonly string[],
	signal?: AbortSignal,
	depth = 0,
): Promise<GitListing> {
	if (!insideRepository(root)) return { kind: "notGit" };
	const listing = await runLsFiles(root, signal);
	if (listing.kind !== "listed") return listing;
	const unwanted = ignore().add([...exclude]);
	const paths: string[] = [];
	for (const path of listing.paths) {
		if (path === "" || (exclude.length > 0 && unwanted.ignores(path.replace(/\/$/, "")))) continue;
		if (!isFolder(root, path)) paths.push(path);
		else if (depth < MAX_NESTED_REPOSITORIES) {
			const inner = path.replace(/\/$/, "");
			const nested = await listGitFiles(join(root, inner), exclude, signal, depth + 1);
			if (nested.kind === "listed") for (const below of nested.paths) paths.push(`${inner}/${below}`);
		}
	}
	return { kind: "listed", paths };
}

/** A trailing slash marks an untracked repository; a name without extension may be a submodule. */
function isFolder(root: string, path: string): boolean {
	if (path.endsWith("/")) return true;
	const name = path.slice(path.lastIndexOf("/") + 1);
	if (name.includes(".") && !existsSync(join(root, path, ".git"))) return false;
	return lstatSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function runLsFiles(root: string, signal: AbortSignal | undefined): Promise<GitListing> {
	const args = [...GIT_SAFE_FLAGS, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
	return new Promise((resolve, reject) => {
		execFile(
			"git",
			args,
			{
				cwd: root,
				env: gitEnvironment(),
				maxBuffer: 512 * 1024 * 1024,
				...(signal && { signal }),
			},
			(error, stdout, stderr) => {
				if (signal?.aborted) reject(signal.reason);
				else if (error)
					resolve({
						kind: "failed",
						warning: `git could not list the files (${reasonOf(stderr, error)}); the folder was walked instead`,
					});
				else resolve({ kind: "listed", paths: stdout.split("\0") });
			},
		);
	});
}

function reasonOf(stderr: string, { message }: Error): string {
	if (stderr.includes("dubious ownership")) return "they are another user's; git's setting safe.directory allows it";
	return stderr.trim().split("\n")[0] || message;
}
