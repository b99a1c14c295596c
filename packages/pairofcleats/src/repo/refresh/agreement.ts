import { hash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { makeFolder } from "libmcp/command";
import { VERSION } from "../../contract/envelope.ts";
import { gitHomes, installedReaders } from "../../contract/environment.ts";
import type { KnownTree } from "../../discover/knownTree.ts";
import { type Looks, lookAt, WIDTH } from "../../discover/looks.ts";
import type { SeenTree } from "../../discover/seenTree.ts";
import { TICK_MS } from "../../discover/treeMarks.ts";
import { listRecords } from "../../index/recordFiles.ts";
import { decompress } from "../../segment/compression.ts";
import type { IndexReader } from "../../store/store.ts";
import type { SweepOptions } from "./staleness.ts";

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

/*
 * A tree as it was seen, in one compressed block with a checksum:
 *   u32 bytes of the head, the head (JSON, blanks behind it up to a multiple of 8), looks of the marks, looks of the
 *   files, paths of both with a NUL between them.
 */
type Head = {
	readonly key: string;
	readonly source: "git" | "walk";
	readonly warnings: readonly string[];
	readonly marks: number;
	readonly files: number;
};

const HEAD_AT = 4;

function writeTree(file: string, key: string, { listing, marks, looks }: SeenTree): void {
	const { source, warnings, paths } = listing;
	const head: Head = { key, source, warnings, marks: marks.paths.length, files: paths.length };
	const text = Buffer.from(JSON.stringify(head));
	const headEnd = aligned(HEAD_AT + text.length);
	const begin = Buffer.alloc(headEnd, " ");
	begin.writeUInt32LE(headEnd);
	text.copy(begin, HEAD_AT);
	const names = Buffer.from([...marks.paths, ...paths].join("\0"));
	const block = Buffer.concat([begin, bytesOf(marks.looks), bytesOf(looks), names]);
	const scratch = `${file}.${process.pid}`;
	makeFolder(dirname(file), 0o700);
	try {
		writeFileSync(scratch, zstdCompressSync(block, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }), {
			mode: 0o600,
		});
		renameSync(scratch, file);
	} catch {
		// The file only saves time, so a full disk or a removed folder is no error here.
		rmSync(scratch, { force: true });
	}
}

type StoredTree = { readonly key: string; readonly seen: SeenTree };

/** `undefined` when there is none, or it cannot be read. */
export function readTree(file: string, root: string): StoredTree | undefined {
	try {
		const block = decompress(readFileSync(file));
		const headEnd = block.readUInt32LE();
		const { key, source, warnings, marks, files }: Head = JSON.parse(block.toString("utf8", HEAD_AT, headEnd));
		const looksOf = (first: number, count: number): Looks => {
			const from = block.byteOffset + headEnd + first * WIDTH * 8;
			return new Float64Array(block.buffer.slice(from, from + count * WIDTH * 8));
		};
		const paths = block.toString("utf8", headEnd + (marks + files) * WIDTH * 8).split("\0");
		if (paths.length !== marks + files) return undefined;
		return {
			key,
			seen: {
				listing: { root, source, warnings, paths: paths.slice(marks) },
				marks: { paths: paths.slice(0, marks), looks: looksOf(0, marks) },
				looks: looksOf(marks, files),
			},
		};
	} catch {
		return undefined;
	}
}

function bytesOf({ buffer, byteOffset, byteLength }: Looks): Buffer {
	return Buffer.from(buffer, byteOffset, byteLength);
}

function aligned(length: number): number {
	return Math.ceil(length / 8) * 8;
}
