import { type FSWatcher, readFileSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { errorCode } from "libmcp/command";
import { isLocalFileSystem } from "./looks.ts";

/** Each watch takes memory in this process and in the kernel. */
const MOST_FOLDERS = 10_000;
/** Fraction of the user's inotify watches to use at most, so that editors keep enough. */
const SHARE = 1 / 8;
const LIMIT_FILE = "/proc/sys/fs/inotify/max_user_watches";
/** Folders added per event loop turn. */
const BATCH = 200;

/**
 * Collects the folders of a tree that the system reports as changed. Events can be missed, so a full scan is still
 * needed from time to time.
 */
export class FolderWatch {
	readonly #root: string;
	/** Whether one watcher covers the whole tree; on Linux, each folder needs its own. */
	readonly #whole: boolean;
	readonly #watchers = new Map<string, FSWatcher>();
	#followed: readonly string[] | undefined;
	#folders: ReadonlySet<string> = new Set();
	#touched = new Set<string>();
	/** Whether a watched folder was removed or replaced. */
	#lost = false;
	#closed: boolean = false;

	constructor(root: string, whole: boolean = process.platform !== "linux") {
		this.#root = root;
		this.#whole = whole;
	}

	/** Whether changes are reported at all. */
	get watching(): boolean {
		return this.#followed !== undefined;
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

	/** Waits until events from before this call have arrived. Node polls for them between two event loop turns. */
	async heard(): Promise<void> {
		if (this.#followed === undefined) return;
		await nextTurn();
		await nextTurn();
	}

	/** Watches exactly these folders. New folders count as touched, since their earlier changes were not reported. */
	async follow(folders: readonly string[]): Promise<void> {
		if (this.#closed || (folders === this.#followed && !this.#lost)) return;
		this.#lost = false;
		this.#folders = new Set(folders);
		try {
			if (folders.length > mostFolders() || !isLocalFileSystem(this.#root)) return this.close();
			await (this.#whole ? this.#watchWhole(folders) : this.#watchEach(folders));
			if (!this.#closed) this.#followed = folders;
		} catch {
			// Usually the system's limit was reached, so a retry would fail as well.
			this.close();
		}
	}

	/** Stops watching permanently. */
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
			// The folder was removed after the listing; that touched its parent.
			if (errorCode(error) !== "ENOENT") throw error;
		}
	}

	#hearBelow(name: string | null): void {
		const path = name === null ? this.#root : `${this.#root}/${name}`;
		for (const folder of [path, dirname(path)]) if (this.#folders.has(folder)) this.#touched.add(folder);
	}

	#hear(folder: string, event: string, name: string | null): void {
		this.#touched.add(folder);
		if (event !== "rename" || name === null) return;
		// A watcher follows its original folder, even after another folder takes its name.
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
