import assert from "node:assert/strict";
import { test } from "node:test";
import { LineBuffer } from "../../src/server/frontEnd/lines.ts";

function collected(): { readonly buffer: LineBuffer; readonly writes: string[] } {
	const writes: string[] = [];
	return { buffer: new LineBuffer((bytes) => void writes.push(bytes.toString())), writes };
}

test("lines leave together when they are flushed, in their order, whatever they are made of", () => {
	const { buffer, writes } = collected();
	for (const line of ["a", Buffer.from("é"), "😀\u2028", ""]) buffer.write(line);
	buffer.flush();
	buffer.flush();
	buffer.write("b");
	buffer.flush();
	assert.deepEqual(writes, ["a\né\n😀\u2028\n\n", "b\n"]);
});

test("a line may come in pieces, and its bytes may change as soon as it is written", () => {
	const { buffer, writes } = collected();
	const passing = Buffer.from("é");
	buffer.write(["a", passing, "b"]);
	passing.fill("x");
	buffer.flush();
	buffer.write(["y".repeat(200_000), Buffer.alloc(100_000, "z")]);
	buffer.flush();
	assert.deepEqual(writes, ["aéb\n", `${"y".repeat(200_000)}${"z".repeat(100_000)}\n`]);
});

test("nothing is left to a later turn: a worker that only ever waits for input has none, and would collect them", async () => {
	const { buffer, writes } = collected();
	buffer.write("a");
	await new Promise(setImmediate);
	assert.deepEqual(writes, []);
});

test("more lines than fit leave as they fill it, and a line larger than all of it by itself", () => {
	const { buffer, writes } = collected();
	const lines = [
		...Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(9_000, "é")),
		"x".repeat(300_000),
		Buffer.alloc(400_000, "y"),
		"z",
	];
	for (const line of lines) buffer.write(line);
	buffer.flush();
	assert.ok(writes.length > 3);
	assert.equal(writes.join(""), lines.map((line) => `${line}\n`).join(""));
});
