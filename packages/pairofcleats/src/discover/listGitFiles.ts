import { existsSync } from "node:fs";
import { join } from "node:path";
import { isInsideRepository, isSameRepository } from "../git/gitFolder.ts";
import { guardSettings } from "../git/guardSettings.ts";
import { runGit } from "../git/runGit.ts";
import { listSubmodules, readDeclaredSubmodules } from "../git/submodules.ts";
import { compileIgnoreRules } from "./ignoreRules.ts";
import { isFolder, lookAt } from "./looks.ts";

type GitListing =
	| { readonly kind: "listed"; readonly paths: readonly string[]; readonly inner: readonly InnerRepository[] }
	| { readonly kind: "notGit" }
	| { readonly kind: "failed"; readonly reason: string };

/** Git lists submodules and nested checkouts as one folder; they are entered only to this depth. */
const MAX_NESTED_REPOSITORIES = 8;
/** A longer list does not fit into a string. */
const MOST_BYTES = 511 * 1024 * 1024;

/** Lists tracked files, and untracked files that are not ignored. Runs git once per repository. */
export async function listGitFiles(
	root: string,
	exclude: readonly string[],
	signal?: AbortSignal,
	depth = 0,
): Promise<GitListing> {
	if (!isInsideRepository(root)) return { kind: "notGit" };
	const listing = await runLsFiles(root, signal);
	if (listing.kind !== "listed") return listing;
	const unwanted = compileIgnoreRules(exclude);
	const declared = new Set(readDeclaredSubmodules(root));
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

async function runLsFiles(root: string, signal: AbortSignal | undefined): Promise<OwnListing> {
	const guard = await guardSettings(root, signal);
	if (guard.kind === "refused" || guard.kind === "absent") return { kind: "failed", reason: reasonOf(guard.reason) };
	const { overrides } = guard;
	const chunks: Buffer[] = [];
	const onOutput = (chunk: Buffer): void => void chunks.push(chunk);
	const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
	const outcome = await runGit(root, args, { onOutput, signal, overrides });
	if (outcome.kind === "done" && outcome.code === 0) {
		const listed = Buffer.concat(chunks);
		if (listed.length > MOST_BYTES) return { kind: "failed", reason: "they are too many" };
		return { kind: "listed", paths: listed.toString("utf8").split("\0") };
	}
	const text = outcome.kind === "done" ? outcome.stderr || `git ended with ${outcome.code}` : outcome.reason;
	return { kind: "failed", reason: reasonOf(text) };
}

function reasonOf(text: string): string {
	if (text.includes("dubious ownership")) return "they are another user's; git's setting safe.directory allows it";
	return text.split("\n", 1)[0] ?? text;
}

/** A repository nested in another one, by its path there. */
type InnerRepository =
	| { readonly kind: "listed"; readonly place: string }
	/** A submodule that was not fetched, so its folder is empty. */
	| { readonly kind: "unfetched"; readonly place: string }
	| { readonly kind: "failed"; readonly place: string; readonly reason: string };

/** Warnings about nested repositories whose files or history are missing from the index. */
export function describeInnerRepositories(root: string, inner: readonly InnerRepository[]): string[] {
	if (inner.length === 0) return [];
	const known = new Set(listSubmodules(root));
	const apart = inner.filter(({ kind, place }) => kind === "listed" && !known.has(place));
	const unfetched = inner.filter(({ kind }) => kind === "unfetched");
	const warnings = inner.flatMap((one) =>
		one.kind === "failed" ? `nothing is found in ${one.place}: git could not list its files (${one.reason})` : [],
	);
	if (apart.length > 0)
		warnings.push(
			`filters by author, date and churn leave out all of ${named(apart)}: the history there is that of another git repository, which is not read`,
		);
	if (unfetched.length > 0)
		warnings.push(
			`nothing is found in ${named(unfetched)}: not fetched yet; git submodule update --init fetches submodules`,
		);
	return warnings;
}

const MOST_NAMED = 5;

function named(inner: readonly InnerRepository[]): string {
	const places = inner.slice(0, MOST_NAMED).map(({ place }) => place);
	const others = inner.length - places.length;
	return `${places.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}
