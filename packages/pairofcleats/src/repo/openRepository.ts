import { realpathSync, statSync } from "node:fs";
import { cacheRoot, dataRoot } from "../contract/environment.ts";
import { CleatsError, noIndex } from "../contract/errors.ts";
import { regexRunner } from "../expression/regexSearch.ts";
import type { BuildOptions, BuildReport, OnProgress } from "../index/build.ts";
import { triageFolder } from "../index/recordFiles.ts";
import { InstalledDictionary } from "../query/dictionary.ts";
import { readSearchRequest } from "../query/readRequest.ts";
import type { SearchRequest } from "../query/request.ts";
import type { SearchResult } from "../query/result.ts";
import { indexFolder } from "../store/indexFolder.ts";
import { loadEmbedder } from "../vectors/loadEmbedder.ts";
import type { BuildJob } from "./buildChild.ts";
import { explainFailure, isFolder, missingFolder } from "./explainFailure.ts";
import { Freshness } from "./freshness.ts";
import { mapPath } from "./mapPath.ts";
import { type OpenIndex, openIndex } from "./openIndex.ts";
import type { Answered, IndexState, OpenOptions, Repository } from "./repository.ts";
import { GenerationChanged, searchIndex } from "./search.ts";
import { showFile } from "./showFile.ts";
import { validateIndex } from "./validate.ts";

/** A search whose index keeps changing under it gives up after this many attempts. */
const MOST_TRIES = 5;

/** Opens the repository at a folder. Reads and builds nothing until a method is called. */
export function openRepository(root: string, options: OpenOptions = {}): Repository {
	const real = realRoot(root);
	const caches = options.cacheRoot ?? cacheRoot();
	const folder = indexFolder(caches, real);
	const regexes = regexRunner();
	const installed = new InstalledDictionary(caches);
	let embedder: ReturnType<typeof loadEmbedder> | undefined;
	let open: OpenIndex | undefined;
	let openedFile = "";
	let building = 0;

	/** The index in use, at its newest generation. Closes a file that was replaced. */
	const current = (): OpenIndex => {
		const file = folder.current();
		if (open && open.file !== file) {
			open.close();
			open = undefined;
		}
		if (file === undefined) throw noIndex();
		if (open === undefined) {
			const { ino, birthtimeMs } = statSync(file);
			openedFile = `${file}:${ino}:${birthtimeMs}`;
		}
		open = open ? open.refresh() : openIndex(file);
		return open;
	};
	/** Closes a damaged index, so that the next call reopens it. */
	const guarded = async <Value>(work: () => Promise<Value>): Promise<Value> => {
		try {
			return await work();
		} catch (thrown) {
			const failure = explainFailure(thrown, real);
			if (failure instanceof CleatsError && failure.details.reason === "damaged") {
				open?.close();
				open = undefined;
			}
			throw failure;
		}
	};
	/** Everything an answer depends on besides its request. */
	const versionOf = ({ snapshot }: OpenIndex): string =>
		`${openedFile}:${snapshot.generation}:${installed.installedMs() ?? ""}`;
	const sweepOptions = {
		root: real,
		recordsDir: options.recordsDir ?? triageFolder(dataRoot(), real),
		...(options.maxFileBytes !== undefined && { maxFileBytes: options.maxFileBytes }),
	};
	const loadModel = (): ReturnType<typeof loadEmbedder> => {
		embedder ??= loadEmbedder(options.model, open?.model);
		return embedder;
	};
	const build = async (
		kind: BuildJob["kind"],
		build: BuildOptions = {},
		onProgress?: OnProgress,
		signal?: AbortSignal,
	): Promise<BuildReport> => {
		building += 1;
		try {
			const { model } = options;
			const job: BuildJob = { ...sweepOptions, kind, cacheRoot: caches, model, options: build };
			const { buildInChild } = await import("./buildChild.ts");
			const report = await buildInChild(job, onProgress, signal);
			freshness.reset();
			return report;
		} finally {
			building -= 1;
		}
	};
	const freshness = new Freshness({
		...sweepOptions,
		folder,
		maxAgeMs: options.freshnessMs ?? 2_000,
		index: current,
		loadModel,
		updateInChild: () => build("update"),
		...(options.onUpdate && { onUpdate: options.onUpdate }),
	});

	/** A requested build waits for our own running update instead of failing on its lock. */
	const buildAlone: typeof build = async (...job) => {
		await freshness.settled();
		return build(...job);
	};

	const state = (signal?: AbortSignal): Promise<IndexState> =>
		guarded(async () => {
			const { checkedAt, warning } = await freshness.check(signal);
			return { version: versionOf(current()), checkedAt, ...(warning && { warning }) };
		});
	const searchState = async (
		{ version: asked, checkedAt }: IndexState,
		request: SearchRequest,
		signal?: AbortSignal,
	): Promise<Answered> => {
		const model = await loadModel();
		for (let tries = 1; ; tries++) {
			try {
				// The state is moments old, and the search itself notices a newer generation.
				const index = tries === 1 && open && versionOf(open) === asked ? open : current();
				const version = versionOf(index);
				const dictionary = installed.current();
				const tools = { regexes, checkedAt, model, ...(dictionary && { dictionary }) };
				return { version, result: await searchIndex(index, request, tools, signal) };
			} catch (error) {
				if (!(error instanceof GenerationChanged) || tries === MOST_TRIES) throw error;
			}
		}
	};
	const searchFrom: Repository["searchFrom"] = (...asked) => guarded(() => searchState(...asked));
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
				current();
				return true;
			} catch (error) {
				// The index is missing, unreadable or of another version, and must be built.
				if (error instanceof CleatsError && error.code === "NO_INDEX") return false;
				throw error;
			}
		},
		search,
		state,
		searchFrom,
		buildIndex: (build_, onProgress, signal) => buildAlone("build", build_, onProgress, signal),
		updateIndex: (build_, onProgress, signal) => buildAlone("update", build_, onProgress, signal),
		status: () =>
			guarded(async () => {
				const { indexStatus } = await import("./status.ts");
				return indexStatus(current, folder, sweepOptions, building > 0);
			}),
		validate: (signal) => guarded(async () => validateIndex(current(), signal)),
		show: (path, range) =>
			guarded(async () => {
				await freshness.check();
				return showFile(current(), path, range);
			}),
		map: (path) =>
			guarded(async () => {
				await freshness.check();
				return mapPath(current(), path);
			}),
		importLint: (report) =>
			guarded(async () => {
				const { importLint } = await import("./importLint.ts");
				return importLint(current(), folder, real, report);
			}),
		close: async () => {
			await freshness.close();
			await regexes.close();
			open?.close();
			open = undefined;
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
	throw missingFolder();
}
