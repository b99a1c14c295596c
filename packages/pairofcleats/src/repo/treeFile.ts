import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { makeFolder } from "libmcp/command";
import { type Looks, WIDTH } from "../discover/looks.ts";
import type { SeenTree } from "../discover/seenTree.ts";
import { decompress } from "../segment/compression.ts";

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

export function writeTree(file: string, key: string, { listing, marks, looks }: SeenTree): void {
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

export type StoredTree = { readonly key: string; readonly seen: SeenTree };

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
