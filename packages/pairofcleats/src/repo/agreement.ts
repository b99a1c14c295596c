import { hash } from "node:crypto";
import { join } from "node:path";
import { installedReaders } from "../contract/capabilities.ts";
import { gitHomes } from "../contract/environment.ts";
import { VERSION } from "../contract/version.ts";
import type { KnownTree } from "../discover/knownTree.ts";
import { lookAt } from "../discover/looks.ts";
import { TICK_MS } from "../discover/treeMarks.ts";
import { listRecords } from "../index/recordFiles.ts";
import type { IndexReader } from "../store/store.ts";
import type { SweepOptions } from "./staleness.ts";
import { readTree, writeTree } from "./treeFile.ts";

/**
 * A record that the index matched the disk, stored beside the index. The next command only checks that both are
 * unchanged since then, without listing files or reading the table of files.
 */
export class Agreement {
	readonly #file: string;
	readonly #options: SweepOptions;
	readonly #tree: KnownTree;
	#key: string | undefined;
	/** The key of the records, and what their folder looked like before they were listed for it. */
	#records: { readonly folder: string; readonly key: string } | undefined;

	constructor(folder: string, options: SweepOptions, tree: KnownTree) {
		this.#file = join(folder, "tree");
		this.#options = options;
		this.#tree = tree;
	}

	/** Loads the record that another process stored. */
	restore(): void {
		const stored = readTree(this.#file, this.#options.root);
		if (!stored?.key.startsWith(this.#surroundings())) return;
		this.#tree.restore(stored.seen);
		this.#key = stored.key;
	}

	/** A key for everything that the comparison depends on except the tree. */
	keyOf(reader: IndexReader): string {
		const index = [reader.meta("builtAt"), reader.generation()];
		return this.#surroundings() + JSON.stringify([index, this.#options.maxFileBytes, this.#recordsKey()]);
	}

	/** Records are only ever moved into their folder, so they are listed again only when it has changed. */
	#recordsKey(): string {
		const { recordsDir } = this.#options;
		if (recordsDir === undefined) return "";
		const look = lookAt(recordsDir);
		const folder = JSON.stringify(look);
		if (this.#records?.folder === folder) return this.#records.key;
		const listed = listRecords(recordsDir);
		const key = hash("sha256", JSON.stringify(listed), "base64url");
		const young = Math.abs(Date.now() - look.mtimeMs) < TICK_MS;
		this.#records = young || listed.unreadable !== undefined ? undefined : { folder, key };
		return key;
	}

	/** Whether the folder of records may have changed since they were last listed. No watcher reports that. */
	get haveRecordsMoved(): boolean {
		const { recordsDir } = this.#options;
		return recordsDir !== undefined && this.#records?.folder !== JSON.stringify(lookAt(recordsDir));
	}

	isOn(key: string): boolean {
		return this.#key === key;
	}

	/** Records that the index of this key matches the tree just seen. */
	note(key: string): void {
		this.#key = key;
	}

	/** The tree just seen differs, and stays different until the index is updated, whatever else changes. */
	end(): void {
		this.#key = undefined;
	}

	/** Stores the record for later processes; without an agreement, only the tree. */
	store(): void {
		if (this.#tree.seen) writeTree(this.#file, this.#key ?? this.#surroundings(), this.#tree.seen);
	}

	/** Spares later processes the listing, if this one had to make it. */
	storeListing(): void {
		if (this.#tree.listings > 0) this.store();
	}

	/** The circumstances, besides the marked files, that change a listing or what can be read. */
	#surroundings(): string {
		return JSON.stringify([VERSION, this.#options.root, gitHomes(), installedReaders()]);
	}
}
