import { join } from "node:path";
import { gitHomes } from "../contract/environment.ts";
import { VERSION } from "../contract/version.ts";
import type { KnownTree } from "../discover/knownTree.ts";
import { listRecords } from "../index/recordFiles.ts";
import type { IndexReader } from "../store/store.ts";
import type { SweepOptions } from "./staleness.ts";
import { readTree, writeTree } from "./treeFile.ts";

/**
 * That an index was found to be as the disk is. It is kept beside the index, so that the next command need only see
 * that both still are as they were then: no listing, no table of all files.
 */
export class Agreement {
	readonly #file: string;
	readonly #options: SweepOptions;
	readonly #tree: KnownTree;
	#key: string | undefined;

	constructor(folder: string, options: SweepOptions, tree: KnownTree) {
		this.#file = join(folder, "tree");
		this.#options = options;
		this.#tree = tree;
	}

	/** Takes up what another process found. */
	restore(): void {
		const stored = readTree(this.#file, this.#options.root);
		if (!stored?.key.startsWith(this.#surroundings())) return;
		this.#tree.restore(stored.seen);
		this.#key = stored.key;
	}

	/** Names the index, and all else but the tree that the answer depends on. */
	keyOf(reader: IndexReader): string {
		const { recordsDir, maxFileBytes } = this.#options;
		const index = [reader.meta("builtAt"), reader.generation()];
		return this.#surroundings() + JSON.stringify([index, maxFileBytes, listRecords(recordsDir)]);
	}

	isOn(key: string): boolean {
		return this.#key === key;
	}

	/** What the key names is as the tree was just seen. */
	note(key: string): void {
		this.#key = key;
	}

	/** For the processes to come. */
	store(): void {
		if (this.#tree.seen && this.#key !== undefined) writeTree(this.#file, this.#key, this.#tree.seen);
	}

	/** What decides about a listing besides the files that are marked. */
	#surroundings(): string {
		return JSON.stringify([VERSION, this.#options.root, gitHomes()]);
	}
}
