import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isSameRepository } from "../git/gitFolder.ts";
import { GIT_SAFE_FLAGS, gitEnvironment } from "../git/safeGit.ts";
import { declaredSubmodules } from "../git/submodules.ts";
import { ignorePipe } from "./ignorePipe.ts";
import { ignoreRules } from "./ignoreRules.ts";
import type { InnerRepository } from "./innerRepositories.ts";
import { insideRepository } from "./insideRepository.ts";
import { isFolder, lookAt } from "./looks.ts";

export type GitListing =
	| { readonly kind: "listed"; readonly paths: readonly string[]; readonly inner: readonly InnerRepository[] }
	| { readonly kind: "notGit" }
	| { readonly kind: "failed"; readonly reason: string };

/** Git lists submodules and nested checkouts as one folder; they are entered only to this depth. */
const MAX_NESTED_REPOSITORIES = 8;
/** Only a large tree takes git longer than this, or a pipe that nobody writes to. */
const DOUBT_MS = 2_000;

/** Lists tracked files, and untracked files that are not ignored. Runs git once per repository. */
export async function listGitFiles(
	root: string,
	exclude: readonly string[],
	signal?: AbortSignal,
	depth = 0,
): Promise<GitListing> {
	if (!insideRepository(root)) return { kind: "notGit" };
	const listing = await runLsFiles(root, signal);
	if (listing.kind !== "listed") return listing;
	const unwanted = ignoreRules(exclude);
	const declared = new Set(declaredSubmodules(root));
	const paths: string[] = [];
	const inner: InnerRepository[] = [];
	for (const path of listing.paths) {
		const place = path.replace(/\/$/, "");
		// Git lists the folder of a damaged submodule as `./`.
		if (place === "" || place === "." || unwanted(place) === "ignored") continue;
		if (!mayBeRepository(root, path, declared)) paths.push(path);
		else if (!existsSync(join(root, place, ".git"))) inner.push({ kind: "unfetched", place });
		// Another work tree of this repository would repeat every file.
		else if (depth < MAX_NESTED_REPOSITORIES && !isSameRepository(root, join(root, place))) {
			const nested = await listGitFiles(join(root, place), exclude, signal, depth + 1);
			if (nested.kind === "failed") inner.push({ kind: "failed", place, reason: nested.reason });
			if (nested.kind !== "listed" || nested.paths.length + nested.inner.length === 0) continue;
			inner.push({ kind: "listed", place }, ...nested.inner.map((one) => ({ ...one, place: `${place}/${one.place}` })));
			for (const below of nested.paths) paths.push(`${place}/${below}`);
		}
	}
	return { kind: "listed", paths, inner };
}

/** A trailing slash marks an untracked repository. A name without an extension can be an undeclared submodule. */
function mayBeRepository(root: string, path: string, declared: ReadonlySet<string>): boolean {
	if (path.endsWith("/")) return true;
	const name = path.slice(path.lastIndexOf("/") + 1);
	if (name.includes(".") && !declared.has(path) && !existsSync(join(root, path, ".git"))) return false;
	return isFolder(lookAt(join(root, path)));
}

type OwnListing =
	| { readonly kind: "listed"; readonly paths: readonly string[] }
	| Extract<GitListing, { kind: "failed" }>;

function runLsFiles(root: string, signal: AbortSignal | undefined): Promise<OwnListing> {
	const args = [...GIT_SAFE_FLAGS, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
	const waits = new AbortController();
	return new Promise((resolve, reject) => {
		execFile(
			"git",
			args,
			{
				cwd: root,
				env: gitEnvironment(),
				maxBuffer: 512 * 1024 * 1024,
				signal: AbortSignal.any([waits.signal, ...(signal ? [signal] : [])]),
			},
			(error, stdout, stderr) => {
				clearTimeout(doubt);
				if (signal?.aborted) reject(signal.reason);
				else if (waits.signal.aborted) resolve({ kind: "failed", reason: String(waits.signal.reason) });
				else if (error) resolve({ kind: "failed", reason: reasonOf(stderr, error) });
				else resolve({ kind: "listed", paths: stdout.split("\0") });
			},
		);
		const doubt = setTimeout(async () => {
			// Git itself tells what is wrong with a tree that cannot be walked.
			const pipe = await ignorePipe(root).catch(() => undefined);
			if (pipe !== undefined) waits.abort(`${pipe} is a pipe, on which it would wait forever`);
		}, DOUBT_MS);
	});
}

function reasonOf(stderr: string, { message }: Error): string {
	if (stderr.includes("dubious ownership")) return "they are another user's; git's setting safe.directory allows it";
	return stderr.trim().split("\n")[0] || message;
}
