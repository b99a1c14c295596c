import { realpathSync } from "node:fs";
import { cacheRoot, dataRoot } from "../contract/environment.ts";
import { CleatsError } from "../contract/errors.ts";
import { triageFolder } from "../index/recordFiles.ts";
import { readSearchRequest, type SearchRequest } from "../query/request.ts";
import type { SearchResult } from "../query/result.ts";
import { openIndexFolder } from "../store/indexFolder.ts";
import { VersionedSearch } from "./answer/versionedSearch.ts";
import { Builds, Repairs } from "./builds.ts";
import { explainFailure, isFolder, makeMissingFolderError } from "./failures.ts";
import { IndexInUse } from "./indexInUse.ts";
import type { OpenIndex } from "./openIndex.ts";
import { mapPath, showFile } from "./readFiles.ts";
import { Freshness } from "./refresh/freshness.ts";
import type { IndexState, OpenOptions, Repository } from "./repository.ts";
import { validateIndex } from "./validate.ts";

type InnerOptions = {
	/** `false` for a thread that only reads: whoever started it has a damaged index built again. */
	readonly mayRepair?: boolean;
};

/** How old the last comparison with the disk may be when a search is answered. */
const FRESHNESS_MS = 2_000;

/** Opens the repository at a folder. Reads and builds nothing until a method is called. */
export function openRepository(root: string, options: OpenOptions & InnerOptions = {}): Repository {
	const real = realRoot(root);
	const caches = options.cacheRoot ?? cacheRoot();
	const folder = openIndexFolder(caches, real);
	const inUse = new IndexInUse(folder);
	const current = (): OpenIndex => inUse.current();
	const searches = new VersionedSearch(inUse, caches, options.model);
	const sweepOptions = {
		root: real,
		recordsDir: options.recordsDir ?? triageFolder(dataRoot(), real),
		...(options.maxFileBytes !== undefined && { maxFileBytes: options.maxFileBytes }),
	};
	const builds = new Builds({ ...sweepOptions, cacheRoot: caches, model: options.model }, () => freshness.reset());
	const repairs = new Repairs(builds, () => folder.current());
	const guarded = guard(real, inUse);
	/** Has a damaged index built again. A command waits for that; a server answers that it is under way. */
	const mending: Guarded = async (work) => {
		try {
			return await guarded(work);
		} catch (failure) {
			const repair = options.mayRepair === false ? undefined : repairs.begin(failure);
			if (repair === undefined) throw failure;
			if (options.freshnessMs !== 0) throw repairs.underWay();
			await repair;
			return guarded(work);
		}
	};
	const freshness = new Freshness({
		...sweepOptions,
		folder,
		maxAgeMs: options.freshnessMs ?? FRESHNESS_MS,
		index: current,
		loadModel: () => searches.model(),
		updateInChild: () => builds.run("update"),
		...(options.onUpdate && { onUpdate: options.onUpdate }),
	});

	/** A requested build waits for our own running update instead of failing on its lock. */
	const buildAlone: typeof builds.run = async (...job) => {
		await freshness.settled();
		return builds.run(...job);
	};
	/** Reads the index once it is up to the disk. */
	const fresh = <Value>(read: (index: OpenIndex) => Value): Promise<Value> =>
		mending(async () => {
			await freshness.check();
			return read(current());
		});
	const state = (signal?: AbortSignal): Promise<IndexState> =>
		mending(async () => {
			const { checkedAt, warning = repairs.takeNotice() } = await freshness.check(signal);
			return { version: searches.versionOf(current()), checkedAt, ...(warning && { warning }) };
		});
	const searchFrom: Repository["searchFrom"] = (...asked) => mending(() => searches.search(...asked));
	const search = async (input: SearchRequest, signal?: AbortSignal): Promise<SearchResult> => {
		const request = readSearchRequest(input);
		const found = await state(signal);
		const { result } = await searchFrom(found, request, signal);
		return found.warning ? { ...result, warnings: [...result.warnings, found.warning] } : result;
	};
	return {
		root: real,
		indexed: () => {
			try {
				return inUse.exists();
			} catch (thrown) {
				throw explained(thrown, real, inUse);
			}
		},
		search,
		state,
		searchFrom,
		buildIndex: (how, onProgress, signal) => buildAlone("build", how, onProgress, signal),
		updateIndex: (how, onProgress, signal) => buildAlone("update", how, onProgress, signal),
		status: () =>
			mending(async () => {
				const { readStatus } = await import("./status.ts");
				return readStatus(current, folder, sweepOptions, () => searches.model(), builds.underWay);
			}),
		validate: (signal) => guarded(() => inUse.still((index) => validateIndex(index, signal))),
		show: (path, range) => fresh((index) => showFile(index, path, range)),
		map: (path) => fresh((index) => mapPath(index, path)),
		importLint: (report) =>
			mending(async () => {
				const { importLint } = await import("./importLint.ts");
				return importLint(folder, real, report);
			}),
		close: async () => {
			await repairs.close();
			await freshness.close();
			await searches.close();
			inUse.close();
		},
	};
}

function realRoot(root: string): string {
	try {
		const real = realpathSync(root);
		if (isFolder(real)) return real;
	} catch {
		// Reported below.
	}
	throw makeMissingFolderError();
}

type Guarded = <Value>(work: () => Promise<Value>) => Promise<Value>;

function guard(root: string, inUse: IndexInUse): Guarded {
	return async (work) => {
		try {
			return await work();
		} catch (thrown) {
			throw explained(thrown, root, inUse);
		}
	};
}

/** Closes a damaged index, so that the next call reopens it. */
function explained(thrown: unknown, root: string, inUse: IndexInUse): unknown {
	const failure = explainFailure(thrown, root);
	if (failure instanceof CleatsError && failure.details.reason === "damaged") inUse.close();
	return failure;
}
