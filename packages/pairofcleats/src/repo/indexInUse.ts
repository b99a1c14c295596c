import { CleatsError, firstIndexUnderWay, noIndex } from "../contract/errors.ts";
import { isIndexDamage } from "../store/indexDamage.ts";
import type { IndexFolder } from "../store/indexFolder.ts";
import { readLockHolder } from "../store/writeLock.ts";
import { identifyFile, type OpenIndex, openFrozen, openIndex } from "./openIndex.ts";

/** The index that a repository answers from; opened when first needed, and reopened when its file is replaced. */
export class IndexInUse {
	readonly #folder: IndexFolder;
	#open: OpenIndex | undefined;

	constructor(folder: IndexFolder) {
		this.#folder = folder;
	}

	/** As it was last read; `undefined` if it is not open. */
	get opened(): OpenIndex | undefined {
		return this.#open;
	}

	/** At its newest generation. Closes a file that was replaced. Throws NO_INDEX if there is none. */
	current(): OpenIndex {
		if (this.#open && this.isReplaced(this.#open)) this.close();
		this.#open = this.#open ? this.#open.refresh() : this.#openBy(openIndex);
		return this.#open;
	}

	/** Its newest generation, on a connection of its own, where it stays as it is while the work lasts. */
	async still<Value>(work: (index: OpenIndex) => Promise<Value>): Promise<Value> {
		const index = this.#openBy(openFrozen);
		try {
			return await work(index);
		} finally {
			index.close();
		}
	}

	/** Also true if another file took its name. */
	isReplaced({ file, identity }: OpenIndex): boolean {
		try {
			return this.#folder.current() !== file || identifyFile(file) !== identity;
		} catch {
			return true;
		}
	}

	exists(): boolean {
		try {
			this.current();
			return true;
		} catch (error) {
			// The index is missing, unreadable or of another version, and must be built.
			if (isIndexDamage(error) || (error instanceof CleatsError && error.code === "NO_INDEX")) return false;
			throw error;
		}
	}

	/** The next call opens it again. */
	close(): void {
		this.#open?.close();
		this.#open = undefined;
	}

	/** Begins again if the file is replaced and deleted just before it is opened. */
	#openBy(open: (file: string) => OpenIndex): OpenIndex {
		for (;;) {
			const file = this.#folder.current();
			if (file === undefined) throw this.#noIndex();
			try {
				return open(file);
			} catch (error) {
				if (this.#folder.current() === file) throw error;
			}
		}
	}

	#noIndex(): CleatsError {
		const writer = readLockHolder(this.#folder.path);
		return writer === undefined ? noIndex() : firstIndexUnderWay(writer);
	}
}
