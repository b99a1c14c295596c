import { readdir, realpath } from "node:fs/promises";
import { CleatsError } from "../contract/errors.ts";
import { isGitFolder } from "../git/gitFolder.ts";
import { classifyPath, type FileRole } from "./classifyPath.ts";
import { describeInnerRepositories, listGitFiles } from "./listGitFiles.ts";
import type { Look } from "./looks.ts";
import { type SkipReason, type StatBudget, type StatFile, statFiles } from "./statFiles.ts";
import { walkFolder } from "./walkFolder.ts";

/** Which files to discover. */
export type DiscoverOptions = {
	/** Larger files are counted as skipped. */
	readonly maxFileBytes?: number;
	/** Extra ignore patterns in gitignore syntax, applied on top of the repository's own. */
	readonly exclude?: readonly string[];
	readonly signal?: AbortSignal;
};

/** A file worth reading. */
export type FoundFile = StatFile & {
	/** Whether it is a triage record, which is kept outside the repository. */
	readonly isRecord?: boolean;
};

/** The files worth reading, and the number of skipped files by reason. */
export type Discovery = {
	/** The root with every symbolic link resolved. */
	readonly root: string;
	readonly source: "git" | "walk";
	/** Sorted by UTF-16 code unit, independent of the locale. */
	readonly files: readonly FoundFile[];
	readonly skipped: Readonly<Record<SkipReason, number>>;
	readonly warnings: readonly string[];
	/** Why git could not list the files, in which case the folder was walked. */
	readonly unlisted?: string;
};

/** The files with their roles, and the number of files by role. */
export type ClassifiedDiscovery = Omit<Discovery, "files"> & {
	readonly files: readonly (FoundFile & { readonly role: FileRole })[];
	readonly roles: Readonly<Record<FileRole, number>>;
};

/** Larger files are skipped. */
export const DEFAULT_MAX_FILE_BYTES: number = 5 * 1024 * 1024;

/**
 * Lists the text files of a folder: with git if it is a repository, otherwise by walking it and applying its ignore
 * files.
 */
export async function discoverFiles(root: string, options: DiscoverOptions = {}): Promise<ClassifiedDiscovery> {
	return classified(await findFiles(root, options));
}

function classified(found: Discovery): ClassifiedDiscovery {
	const roles: Record<FileRole, number> = { source: 0, test: 0, generated: 0, vendored: 0 };
	const files = found.files.map((file) => {
		const role = classifyPath(file.path);
		roles[role] += 1;
		return { ...file, role };
	});
	return { ...found, files, roles };
}

/** `discoverFiles` without the roles, which only the indexing of a file needs. */
export async function findFiles(root: string, options: DiscoverOptions = {}): Promise<Discovery> {
	return (await lookAtListing(await listPaths(root, options), options)).found;
}

/** The paths to consider, before any of them is examined. */
export type Listing = Pick<Discovery, "root" | "source" | "warnings" | "unlisted"> & {
	/** Sorted, without duplicates. */
	readonly paths: readonly string[];
};

export async function listPaths(root: string, options: DiscoverOptions): Promise<Listing> {
	const real = await realpath(root);
	const exclude = options.exclude ?? [];
	const warnings: string[] = [];
	const listed = await listGitFiles(real, exclude, options.signal);
	if (listed.kind !== "listed" && isGitFolder(real)) {
		const message = "repo: expected a folder with files, got the inside of a git repository; give a checkout of it";
		throw new CleatsError("INVALID_REQUEST", message, { field: "repo" });
	}
	if (listed.kind === "failed")
		warnings.push(`git could not list the files (${listed.reason}); the folder was walked instead`);
	if (listed.kind === "listed") {
		warnings.push(...describeInnerRepositories(real, listed.inner));
		const isSilent = listed.paths.length + listed.inner.length === 0;
		if (isSilent && (await readdir(real)).some((name) => name !== ".git")) warnings.push(ALL_IGNORED);
	}
	const paths = listed.kind === "listed" ? listed.paths : await walkFolder(real, exclude, options.signal);
	return {
		root: real,
		source: listed.kind === "listed" ? "git" : "walk",
		paths: [...new Set(paths)].sort(byCodeUnit),
		warnings,
		...(listed.kind === "failed" && { unlisted: listed.reason }),
	};
}

/** As in a build folder, or below a home folder that is a repository of its settings files. */
const ALL_IGNORED = "nothing is found: git ignores this folder, or all that is in it";

/**
 * Stats the listed paths. Returns the files, and a look (stat data) for each path except paths outside the root; with
 * `areInside`, the caller knows that there are none.
 */
export async function lookAtListing(
	{ paths, ...listing }: Listing,
	options: DiscoverOptions,
	areInside = false,
): Promise<{ readonly found: Discovery; readonly looks: readonly Look[] }> {
	const budget: StatBudget = {
		maxFileBytes: options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
		skipped: { binary: 0, oversize: 0, symlink: 0, special: 0, missing: 0, unreadable: 0 },
	};
	const { files, looks } = await statFiles(listing.root, paths, budget, areInside, options.signal);
	return { found: { ...listing, files, skipped: budget.skipped }, looks };
}

/** Discovers several roots of a workspace. Files of a root nested in another belong only to the inner one. */
export async function discoverRoots(
	roots: readonly string[],
	options: DiscoverOptions = {},
): Promise<readonly ClassifiedDiscovery[]> {
	const reals = [...new Set(await Promise.all(roots.map((root) => realpath(root))))].sort(byCodeUnit);
	const found: ClassifiedDiscovery[] = [];
	for (const root of reals) found.push(await discoverFiles(root, options));
	return found.map((discovery) => withoutInnerRoots(discovery, reals));
}

function withoutInnerRoots(discovery: ClassifiedDiscovery, roots: readonly string[]): ClassifiedDiscovery {
	const inner = roots
		.filter((other) => other !== discovery.root && other.startsWith(`${discovery.root}/`))
		.map((other) => `${other.slice(discovery.root.length + 1)}/`);
	if (inner.length === 0) return discovery;
	const roles = { ...discovery.roles };
	const files = discovery.files.filter((file) => {
		const kept = !inner.some((prefix) => file.path.startsWith(prefix));
		if (!kept) roles[file.role] -= 1;
		return kept;
	});
	return { ...discovery, files, roles };
}

function byCodeUnit(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
