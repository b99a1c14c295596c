import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { ArchiveGuard, readArchive } from "../../src/assets/readArchive.ts";
import { CleatsError, type ErrorCode } from "../../src/contract/errors.ts";
import { tar, tgz, zip } from "./archives.ts";

function refuses(archive: Buffer, code: ErrorCode, message: RegExp): void {
	assert.throws(
		() => readArchive(archive),
		(error: unknown) => error instanceof CleatsError && error.code === code && message.test(error.message),
	);
}

for (const [kind, archive] of [
	[
		"tar",
		tar([
			{ name: "a.txt", data: "one" },
			{ name: "sub/", type: "5" },
			{ name: "sub/b.txt", data: "two" },
		]),
	],
	[
		"tgz",
		tgz([
			{ name: "a.txt", data: "one" },
			{ name: "sub/b.txt", data: "two" },
		]),
	],
	[
		"zip",
		zip([
			{ name: "a.txt", data: "one" },
			{ name: "sub/", mode: 0o040755 },
			{ name: "sub/b.txt", data: "two" },
		]),
	],
] as const) {
	void test(`the files of a ${kind} are read, and its folders are left out`, () => {
		const files = readArchive(archive).map(({ name, data }) => [name, data.toString("utf8")]);
		assert.deepEqual(files, [
			["a.txt", "one"],
			["sub/b.txt", "two"],
		]);
	});
}

verifies("000-6-code-archive-unsafe", "every dangerous archive is ARCHIVE_UNSAFE, and none of it is read", () => {
	const evil = ["../evil", "a/../../evil", "/etc/evil", "C:\\evil", "\\\\host\\evil", "..\\evil"];
	for (const name of evil) {
		refuses(
			tgz([
				{ name: "good.txt", data: "x" },
				{ name, data: "x" },
			]),
			"ARCHIVE_UNSAFE",
			/absolute|outside/,
		);
		refuses(
			zip([
				{ name: "good.txt", data: "x" },
				{ name, data: "x" },
			]),
			"ARCHIVE_UNSAFE",
			/absolute|outside/,
		);
	}
	refuses(tar([{ name: "l", type: "2", link: "/etc/passwd" }]), "ARCHIVE_UNSAFE", /symbolic link/);
	refuses(tar([{ name: "l", type: "1", link: "good.txt" }]), "ARCHIVE_UNSAFE", /hard link/);
	refuses(tar([{ name: "d", type: "3" }]), "ARCHIVE_UNSAFE", /device/);
	refuses(tar([{ name: "p", type: "6" }]), "ARCHIVE_UNSAFE", /pipe/);
	refuses(zip([{ name: "l", data: "/etc/passwd", mode: 0o120777 }]), "ARCHIVE_UNSAFE", /link or a device/);
	refuses(zip([{ name: "e", data: "x", flags: 1 }]), "ARCHIVE_UNSAFE", /encrypted/);
	refuses(
		tar([
			{ name: "same", data: "1" },
			{ name: "./SAME", data: "2" },
		]),
		"ARCHIVE_UNSAFE",
		/twice/,
	);
	refuses(
		zip([
			{ name: "same", data: "1" },
			{ name: "same", data: "2" },
		]),
		"ARCHIVE_UNSAFE",
		/twice/,
	);
	refuses(tar([{ name: "short", data: "x", size: 4_000 }]), "ARCHIVE_UNSAFE", /ends inside it/);
	refuses(zip([{ name: "liar", data: "x".repeat(500), size: 10 }]), "ARCHIVE_UNSAFE", /more than the 10 bytes/);
	refuses(zip([{ name: "liar", data: "four", size: 1, stored: true }]), "ARCHIVE_UNSAFE", /says 1 bytes and holds 4$/);
	refuses(Buffer.concat([tgz([{ name: "a", data: "x" }]).subarray(0, 30)]), "ARCHIVE_UNSAFE", /damaged/);
	refuses(Buffer.from("PK no zip at all, just text that starts like one"), "ARCHIVE_UNSAFE", /directory is missing/);
	refuses(Buffer.from("x".repeat(2_000)), "ARCHIVE_UNSAFE", /octal|damaged/);
});

verifies("000-6-code-archive-too-large", "every bomb is ARCHIVE_TOO_LARGE, and none of it is read", () => {
	const zeros = Buffer.alloc(40 * 1024 * 1024);
	refuses(tgz([{ name: "zeros", data: zeros }]), "ARCHIVE_TOO_LARGE", /packed size/);
	refuses(zip([{ name: "zeros", data: zeros }]), "ARCHIVE_TOO_LARGE", /packed size/);
	refuses(zip([{ name: "huge", data: "x", size: 0xfffffff0 }]), "ARCHIVE_TOO_LARGE", /bytes in one entry/);
	refuses(
		tar([{ name: "huge", data: Buffer.alloc(50 * 1024 * 1024 + 1) }]),
		"ARCHIVE_TOO_LARGE",
		/52428800 bytes in one entry/,
	);
	const guard = new ArchiveGuard(500 * 1024 * 1024);
	for (let entry = 0; entry < 4; entry++) guard.size(50 * 1024 * 1024);
	assert.throws(() => guard.size(1), { code: "ARCHIVE_TOO_LARGE", message: /209715200 bytes in all/ });
	refuses(
		tar(Array.from({ length: 2_049 }, (_, index) => ({ name: `f${index}` }))),
		"ARCHIVE_TOO_LARGE",
		/2048 entries/,
	);
	refuses(
		zip(Array.from({ length: 2_049 }, (_, index) => ({ name: `f${index}` }))),
		"ARCHIVE_TOO_LARGE",
		/2048 entries/,
	);
});

void test("any bytes are either read or rejected with the reader's own errors", () => {
	const seeds = [
		tar([{ name: "a", data: "hello" }]),
		tgz([{ name: "a", data: "hello" }]),
		zip([{ name: "a", data: "hello" }]),
	];
	fc.assert(
		fc.property(
			fc.constantFrom(...seeds),
			fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
			fc.nat(3_000),
			(seed, flips, cut) => {
				const bytes = Buffer.from(seed.subarray(0, Math.max(1, seed.length - (cut % seed.length))));
				for (const [at, value] of flips) bytes[at % bytes.length] = value;
				try {
					readArchive(bytes);
				} catch (error) {
					assert.ok(error instanceof CleatsError, String(error));
				}
			},
		),
		{ numRuns: 500 },
	);
});
