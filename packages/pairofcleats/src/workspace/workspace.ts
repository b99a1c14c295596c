import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { tooWide } from "libmcp/command";
import { cacheRoot } from "../contract/environment.ts";
import { CleatsError } from "../contract/errors.ts";
import { readExistingFolder, resolveRealPath } from "../repo/failures.ts";
import type { OpenOptions, Repository } from "../repo/repository.ts";
import type { Searches } from "../searching/searches.ts";
import type { PoolOptions } from "../searching/searchPool.ts";

export type WorkspaceOptions = {
	/** Folders that may be reached; the first is the default. None given: the repository of the working directory. */
	readonly repositories?: readonly string[];
	readonly open?: OpenOptions;
	readonly searching?: PoolOptions;
};

export type OpenedRepository = {
	/** The path as the caller sent it, else the repository's folder name: no path of this machine. */
	readonly label: string;
	readonly root: string;
	/** The folder inside the repository that the caller named, if it was not the repository itself. */
	readonly folder?: string;
	readonly engine: Repository;
};

/** The repositories that callers may reach, opened when they are first asked for. */
export class Workspace {
	readonly cacheRoot: string;
	readonly #configured: readonly string[];
	/** Set when no repository was given and the working directory is too wide to be one. */
	readonly #astray: ReturnType<typeof tooWide>;
	/** How every engine here is opened. */
	readonly open: OpenOptions;
	readonly #searching: PoolOptions;
	#searches: Promise<Searches> | undefined;
	readonly #engines = new Map<string, Promise<Repository>>();
	#declared: readonly string[] = [];

	constructor(options: WorkspaceOptions = {}) {
		const given = options.repositories ?? [];
		this.#configured = given.length === 0 ? [repositoryOf(process.cwd())] : given.map(readExistingFolder);
		this.#astray = given.length === 0 ? tooWide(this.#configured[0] ?? "") : undefined;
		this.cacheRoot = options.open?.cacheRoot ?? cacheRoot();
		this.open = { ...options.open, cacheRoot: this.cacheRoot };
		this.#searching = options.searching ?? {};
	}

	/** Every root inside which a repository may be named. */
	get roots(): readonly string[] {
		return [...new Set([...this.#configured, ...this.#declared])];
	}

	/** Every root that is a repository; the default is the first. */
	get repositories(): readonly string[] {
		return this.#astray === undefined ? this.roots : this.#declared.filter((root) => tooWide(root) === undefined);
	}

	/** The roots that the client declares, in place of those it declared before; what does not exist is left out. */
	declare(folders: readonly string[]): void {
		this.#declared = folders.flatMap((folder) => resolveRealPath(folder) ?? []);
	}

	/** What answers call a repository: its folder's name, with those above it where several have that. */
	nameOf(root: string): string {
		return nameRepository(root, this.repositories);
	}

	/** Where the named repository is. Whether a folder outside the allow-list exists is not told. */
	locate(repoPath?: string): Omit<OpenedRepository, "engine"> {
		// Clients fill in empty arguments they do not mean.
		if (repoPath === undefined || repoPath === "") {
			const root = this.#default;
			return { label: this.nameOf(root), root };
		}
		const named = resolve(repoPath);
		const real = resolveRealPath(named);
		const allowed = this.roots.find((root) => isInside(real ?? named, root));
		// Answers call a repository by its name, so it may be called by it.
		const known = this.repositories.find((root) => this.nameOf(root) === repoPath);
		if (known !== undefined && (allowed === undefined || real === undefined)) return { label: repoPath, root: known };
		if (allowed === undefined) {
			const message = "repoPath: expected a folder inside an allowed repository; workspace_status names them";
			throw new CleatsError("FORBIDDEN", message, { field: "repoPath" });
		}
		if (real === undefined || !statSync(real).isDirectory()) {
			throw new CleatsError("NOT_FOUND", "repoPath: expected a folder that exists", { field: "repoPath" });
		}
		const root = repositoryOf(real, allowed);
		return { label: repoPath, root, ...(real !== root && { folder: relative(root, real).replaceAll(sep, "/") }) };
	}

	async repository(repoPath?: string): Promise<OpenedRepository> {
		const located = this.locate(repoPath);
		return { ...located, engine: await this.engine(located.root) };
	}

	/** The repository used when none is named. */
	get #default(): string {
		const [first] = this.repositories;
		if (first !== undefined) return first;
		throw new CleatsError(
			"INVALID_REQUEST",
			`repoPath: expected a repository, got nothing, and the server was started in ${this.#astray}; ` +
				"name one in repoPath, or start the server with --repo",
			{ field: "repoPath" },
		);
	}

	/** The engine of a root, kept open. */
	engine(root: string): Promise<Repository> {
		let opening = this.#engines.get(root);
		if (opening === undefined) {
			// Loaded with the first call that needs it, so that the handshake is quick.
			opening = import("../repo/openRepository.ts").then(({ openRepository }) => openRepository(root, this.open));
			opening.catch(() => this.#engines.delete(root));
			this.#engines.set(root, opening);
		}
		return opening;
	}

	/** What answers searches as text; loaded, as the engine is, with the first. */
	searches(): Promise<Searches> {
		this.#searches ??= import("../searching/searches.ts").then(({ Searches }) => new Searches(this.#searching));
		return this.#searches;
	}

	async close(): Promise<void> {
		const engines = [...this.#engines.values()];
		this.#engines.clear();
		await (await this.#searches)?.close();
		await Promise.allSettled(engines.map(async (opening) => (await opening).close()));
	}
}

/** The nearest folder at or above with a `.git`, but not above `ceiling`; else the folder itself. */
function repositoryOf(folder: string, ceiling?: string): string {
	for (let at = folder; ; at = dirname(at)) {
		if (existsSync(join(at, ".git"))) return at;
		if (at === ceiling || at === dirname(at)) return folder;
	}
}

function isInside(path: string, root: string): boolean {
	return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** A folder's name, with as many of those above it as tell it from the others: no more of this machine's paths is told. */
function nameRepository(root: string, all: readonly string[]): string {
	const parts = root.split(sep);
	const others = all.filter((other) => other !== root).map((other) => other.split(sep));
	for (let count = 1; count < parts.length; count++) {
		const name = parts.slice(-count).join("/");
		if (!others.some((other) => other.slice(-count).join("/") === name)) return name;
	}
	return root;
}
