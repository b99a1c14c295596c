import { statSync } from "node:fs";
import { CleatsError, firstIndexUnderWay, noIndex } from "../contract/errors.ts";
import type { IndexFolder } from "../store/indexFolder.ts";
import { lockHolder } from "../store/writeLock.ts";
import { type OpenIndex, openIndex } from "./openIndex.ts";

/** The index that a repository answers from; opened when first needed, and reopened when its file is replaced. */
export class IndexInUse {
	readonly #folder: IndexFolder;
	#open: OpenIndex | undefined;
	#openedFile = "";

	constructor(folder: IndexFolder) {
		this.#folder = folder;
	}

	/** As it was last read; `undefined` if it is not open. */
	get opened(): OpenIndex | undefined {
		return this.#open;
	}

	/** At its newest generation. Closes a file that was replaced. Throws NO_INDEX if there is none. */
	current(): OpenIndex {
		const file = this.#folder.current();
		if (this.#open && this.#open.file !== file) this.close();
		if (file === undefined) {
			const writer = lockHolder(this.#folder.path);
			throw writer === undefined ? noIndex() : firstIndexUnderWay(writer);
		}
		if (this.#open === undefined) {
			const { ino, birthtimeMs } = statSync(file);
			this.#openedFile = `${file}:${ino}:${birthtimeMs}`;
		}
		this.#open = this.#open ? this.#open.refresh() : openIndex(file);
		return this.#open;
	}

	exists(): boolean {
		try {
			this.current();
			return true;
		} catch (error) {
			// The index is missing, unreadable or of another version, and must be built.
			if (error instanceof CleatsError && error.code === "NO_INDEX") return false;
			throw error;
		}
	}

	/** Differs between files, also of one name, and between their generations. */
	versionOf({ snapshot }: OpenIndex): string {
		return `${this.#openedFile}:${snapshot.generation}`;
	}

	/** The next call opens it again. */
	close(): void {
		this.#open?.close();
		this.#open = undefined;
	}
}
