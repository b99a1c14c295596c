import { type FSWatcher, readFileSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isLocalFileSystem } from "./localFileSystem.ts";

/** Each watch takes memory here and in the system. */
const MOST_FOLDERS = 10_000;
/** Share of the watches that Linux grants a user's programs, so that editors keep enough. */
const SHARE = 1 / 8;
const LIMIT_FILE = "/proc/sys/fs/inotify/max_user_watches";
/** Folders added per turn of the event loop. */
const BATCH = 200;

/**
 * Collects the folders of a tree that the system reports as changed. It may miss changes: a full look at the tree from
 * time to time finds those.
 */
export class FolderWatch {
	readonly #root: string;
	/** Whether one watcher covers the whole tree. On Linux each folder needs its own. */
	readonly #whole: boolean;
	readonly #watchers = new Map<string, FSWatcher>();
	#followed: readonly string[] | undefined;
	#folders: ReadonlySet<string> = new Set();
	#touched = new Set<string>();
	/** Whether a watched folder has gone or been replaced. */
	#lost = false;
	#closed: boolean = false;

	constructor(root: string, whole: boolean = process.platform !== "linux") {
		this.#root = root;
		this.#whole = whole;
	}

	/** Whether something was touched since the last `take`. */
	get touched(): boolean {
		return this.#followed !== undefined && this.#touched.size > 0;
	}

	/** Returns and clears the touched folders; `undefined` while nothing is watched. */
	take(): ReadonlySet<string> | undefined {
		const touched = this.#touched;
		this.#touched = new Set();
		return this.#followed && touched;
	}

	/** Waits until events from before this call have arrived. Node polls for them between two turns of the event loop. */
	async heard(): Promise<void> {
		if (this.#followed === undefined) return;
		await nextTurn();
		await nextTurn();
	}

	/** Watches exactly these folders. New ones count as touched, since their earlier changes were not reported. */
	async follow(folders: readonly string[]): Promise<void> {
		if (this.#closed || (folders === this.#followed && !this.#lost)) return;
		this.#lost = false;
		this.#folders = new Set(folders);
		try {
			if (folders.length > mostFolders() || !isLocalFileSystem(this.#root)) return this.close();
			await (this.#whole ? this.#watchWhole(folders) : this.#watchEach(folders));
			if (!this.#closed) this.#followed = folders;
		} catch {
			// Usually the system's limit is reached, so a retry would fail too.
			this.close();
		}
	}

	/** Stops watching for good. */
	close(): void {
		this.#closed = true;
		this.#followed = undefined;
		for (const watcher of this.#watchers.values()) watcher.close();
		this.#watchers.clear();
	}

	#watchWhole(folders: readonly string[]): void {
		if (this.#watchers.size === 0) this.#watch(this.#root, (_, name) => this.#hearBelow(name));
		for (const folder of folders) this.#touched.add(folder);
	}

	async #watchEach(folders: readonly string[]): Promise<void> {
		for (const folder of this.#watchers.keys()) if (!this.#folders.has(folder)) this.#drop(folder);
		let begun = 0;
		for (const folder of folders) {
			if (this.#watchers.has(folder)) continue;
			this.#watch(folder, (event, name) => this.#hear(folder, event, name));
			this.#touched.add(folder);
			begun += 1;
			if (begun % BATCH === 0) await nextTurn();
			if (this.#closed) return;
		}
	}

	#watch(folder: string, hear: (event: string, name: string | null) => void): void {
		try {
			const watcher = watch(folder, { persistent: false, recursive: this.#whole }, hear);
			watcher.on("error", () => this.#lose(folder));
			this.#watchers.set(folder, watcher);
		} catch (error) {
			// The folder has gone since the listing, which touched its parent.
			if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
		}
	}

	#hearBelow(name: string | null): void {
		const path = name === null ? this.#root : `${this.#root}/${name}`;
		for (const folder of [path, dirname(path)]) if (this.#folders.has(folder)) this.#touched.add(folder);
	}

	#hear(folder: string, event: string, name: string | null): void {
		this.#touched.add(folder);
		if (event !== "rename" || name === null) return;
		// A watcher follows its original folder, even if another now has that name.
		if (name === basename(folder)) this.#lose(folder);
		const within = `${folder}/${name}`;
		if (!this.#watchers.has(within)) return;
		for (const other of this.#watchers.keys()) {
			if (other === within || other.startsWith(`${within}/`)) this.#lose(other);
		}
	}

	#lose(folder: string): void {
		this.#drop(folder);
		this.#touched.add(folder);
		this.#lost = true;
	}

	#drop(folder: string): void {
		this.#watchers.get(folder)?.close();
		this.#watchers.delete(folder);
	}
}

function mostFolders(): number {
	try {
		return Math.min(MOST_FOLDERS, Number(readFileSync(LIMIT_FILE, "utf8")) * SHARE);
	} catch {
		return MOST_FOLDERS;
	}
}
