import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { embedQuery } from "../../src/vectors/embedder.ts";
import { BadTokenTable, readTokenTable } from "../../src/vectors/readModel.ts";

const bytes = readFileSync(new URL("../../model/tokens.model", import.meta.url));
const card = readFileSync(new URL("../../model/modelCard.md", import.meta.url), "utf8");

function similarity(left: string, right: string): number {
	const table = readTokenTable(bytes);
	const [a, b] = [embedQuery(table, left), embedQuery(table, right)];
	assert.ok(a && b);
	return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

void test("the shipped table is the one its card describes", () => {
	assert.match(card, new RegExp(createHash("sha256").update(bytes).digest("hex")));
	assert.ok(bytes.length <= 10_000_000);
	const table = readTokenTable(bytes);
	assert.equal(table.dims, 256);
	assert.match(table.id, /^holdfast-code-[0-9a-f]{12}$/);
});

void test("words that programmers use for the same thing are similar, and others are not", () => {
	const unrelated = similarity("render a template to html", "tcp socket timeout");
	for (const [left, right] of [
		["remove an element", "delete an item"],
		["websocket handshake", "upgrade connection to socket"],
		["parse command line arguments", "argv flags options"],
		["throw an exception", "raise error"],
		["encrypt password", "hash secret"],
	] as const) {
		assert.ok(similarity(left, right) > unrelated + 0.1, `${left} / ${right}`);
	}
});

void test("a truncated, altered or foreign table is refused with the reason", () => {
	const changed = Buffer.from(bytes);
	changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 1;
	const newer = Buffer.from(bytes);
	newer.writeUInt16LE(2, 4);
	const huge = Buffer.from(bytes);
	huge.writeUInt32LE(0xffffffff, 8);
	for (const [broken, reason] of [
		[bytes.subarray(0, -1000), /^\d+ bytes; its header says \d+$/],
		[changed, /^checksum does not match/],
		[
			Buffer.from("PK\u0003\u0004 something else entirely, long enough to hold a header and a digest"),
			/^not a token table/,
		],
		[newer, /^version 2; this build reads version 1$/],
		[huge, /^4294967295 rows; expected 1 to 1000000$/],
		[Buffer.alloc(0), /^not a token table/],
	] as const) {
		assert.throws(
			() => readTokenTable(broken),
			(error: unknown) => error instanceof BadTokenTable && reason.test(error.message),
		);
	}
});

void test("a table's checksum is verified unless the index was built with that table", () => {
	const changed = Buffer.from(bytes);
	changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 1;
	const { id } = readTokenTable(bytes);
	assert.equal(readTokenTable(changed, id).id, id);
	assert.throws(() => readTokenTable(changed, "holdfast-code-0123456789ab"), /^BadTokenTable: checksum does not match/);
	assert.throws(() => readTokenTable(changed, ""), /^BadTokenTable: checksum does not match/);
	assert.throws(() => readTokenTable(bytes.subarray(0, -1000), id), /its header says/);
});
