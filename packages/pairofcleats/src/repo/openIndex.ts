import { statSync } from "node:fs";
import type { GitFile } from "../filter/filterContext.ts";
import { FileTexts } from "../query/fileTexts.ts";
import { type ImpactCache, Impacts, makeImpactCache } from "../rank/score/impacts.ts";
import { Scores } from "../rank/score/scores.ts";
import { WEIGHTS } from "../rank/weights.ts";
import { MODES } from "../segment/columns.ts";
import { parseStoredJson } from "../store/indexDamage.ts";
import { type Snapshot, takeSnapshot } from "../store/snapshot.ts";
import { openReader } from "../store/sqliteReader.ts";
import type { IndexReader } from "../store/store.ts";
import type { Embedder } from "../vectors/embedder.ts";
import { VectorScan } from "../vectors/vectorScan.ts";

/** An open index file, and the generation of it in memory. */
export type OpenIndex = {
	readonly file: string;
	/** Differs between files, also of one name. */
	readonly identity: string;
	readonly reader: IndexReader;
	readonly snapshot: Snapshot;
	readonly texts: FileTexts;
	/** 1 for each live document of the modes given. */
	documents(modes: readonly number[]): Uint8Array;
	/** The impacts of terms in the modes given. */
	impacts(modes: readonly number[]): Impacts;
	/** Shared, as only one search runs at a time from its first score to its last hit. */
	readonly scores: Scores;
	/** Facts from git, by path; `undefined` if there is no history. */
	git(): ReadonlyMap<string, GitFile> | undefined;
	/** The model that made the vectors, "" for none. */
	readonly model: string;
	/** The vectors that a model made. */
	vectors(embedder: Embedder): VectorScan;
	/** Brings the snapshot up to the stored generation. */
	refresh(): OpenIndex;
	/** Keeps the file open until the work ends. */
	during<Value>(work: () => Promise<Value>): Promise<Value>;
	/** Closes the file, once no work needs it. */
	close(): void;
};

/** Sets of modes whose impacts are cached. A client rarely uses a second set. */
const MOST_IMPACTS = 2;

export function openIndex(file: string): OpenIndex {
	return opened(file, openReader(file));
}

/** One generation, whatever is published until it is closed. */
export function openFrozen(file: string): OpenIndex {
	const reader = openReader(file);
	reader.stay();
	return opened(file, reader);
}

export function identifyFile(file: string): string {
	const { ino, birthtimeMs } = statSync(file);
	return `${file}:${ino}:${birthtimeMs}`;
}

/** What all generations of an open file have in common. */
type OpenFile = Pick<OpenIndex, "file" | "identity" | "reader" | "texts"> & {
	readonly worth: ImpactCache;
	readonly users: IndexUsers;
};

function opened(file: string, reader: IndexReader): OpenIndex {
	const shared = { file, identity: identifyFile(file), reader, texts: new FileTexts(reader), worth: makeImpactCache() };
	return view({ ...shared, users: new IndexUsers(() => reader.close()) }, takeSnapshot(reader));
}

function view(open: OpenFile, snapshot: Snapshot): OpenIndex {
	const { file, identity, reader, texts, worth, users } = open;
	let git: ReadonlyMap<string, GitFile> | undefined | null = null;
	const vectors = new Map<string, VectorScan>();
	const documents = new Map<string, Uint8Array>();
	const impacts = new Map<string, Impacts>();
	let scores: Scores | undefined;
	const documentsIn = (modes: readonly number[]): Uint8Array => {
		const known = documents.get(modes.join()) ?? documentsOf(snapshot, modes);
		documents.set(modes.join(), known);
		return known;
	};
	return {
		file,
		identity,
		reader,
		snapshot,
		texts,
		documents: documentsIn,
		impacts: (modes) => {
			const known =
				impacts.get(modes.join()) ?? new Impacts(snapshot, reader, modes, documentsIn(modes), WEIGHTS, worth);
			if (!impacts.has(modes.join()) && impacts.size >= MOST_IMPACTS) impacts.clear();
			impacts.set(modes.join(), known);
			return known;
		},
		get scores() {
			scores ??= new Scores(snapshot.docs, snapshot.files.length);
			return scores;
		},
		model: reader.meta("model") ?? "",
		git: () => {
			if (git === null) git = readGit(reader);
			return git;
		},
		vectors: ({ id, dims }) => {
			const known =
				vectors.get(id) ??
				new VectorScan(snapshot, dims, (segment) => {
					const stored = reader.vectors(segment);
					return stored?.model === id ? stored : undefined;
				});
			vectors.set(id, known);
			return known;
		},
		refresh() {
			if (reader.generation() === snapshot.generation) return this;
			worth.clear();
			return view(open, takeSnapshot(reader));
		},
		during: (work) => users.during(work),
		close: () => users.close(),
	};
}

function documentsOf({ docs, alive, modeOf }: Snapshot, modes: readonly number[]): Uint8Array {
	const wanted = new Uint8Array(MODES.length);
	for (const mode of modes) wanted[mode] = 1;
	const counted = new Uint8Array(docs);
	for (let doc = 0; doc < docs; doc++) counted[doc] = (alive[doc] ?? 0) & (wanted[modeOf[doc] ?? 0] ?? 0);
	return counted;
}

/** Stored as `path → [author, last change in seconds, churn]`. */
function readGit(reader: IndexReader): ReadonlyMap<string, GitFile> | undefined {
	const stored = reader.meta("git");
	if (stored === undefined || stored === "") return undefined;
	const files = parseStoredJson(stored) as Record<string, [string, number, number]>;
	return new Map(
		Object.entries(files).map(([path, [author, seconds, churn]]) => [
			path,
			{ author, modifiedMs: seconds * 1000, churn },
		]),
	);
}

/** The users of an open index file, which stays open for those who still wait for something. */
class IndexUsers {
	readonly #closeFile: () => void;
	#users = 0;
	#isClosing: boolean = false;

	constructor(closeFile: () => void) {
		this.#closeFile = closeFile;
	}

	async during<Value>(work: () => Promise<Value>): Promise<Value> {
		this.#users += 1;
		try {
			return await work();
		} finally {
			this.#users -= 1;
			if (this.#isClosing) this.close();
		}
	}

	/** At once, or after the last user. */
	close(): void {
		this.#isClosing = true;
		if (this.#users === 0) this.#closeFile();
	}
}
