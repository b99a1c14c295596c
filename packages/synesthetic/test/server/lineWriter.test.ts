import assert from "node:assert/strict";
import { test } from "node:test";
import { LineWriter } from "../../src/server/frontEnd/lines.ts";

function collected(): { readonly writer: LineWriter; readonly writes: string[] } {
	const writes: string[] = [];
	return { writer: new LineWriter((bytes) => void writes.push(bytes.toString())), writes };
}

test("lines of one turn leave in one write, in their order, whatever they are made of", async () => {
	const { writer, writes } = collected();
	writer.write("a");
	writer.write("b");
	await Promise.resolve();
	writer.write(Buffer.from("c"));
	writer.write("d");
	writer.flush();
	await Promise.resolve();
	assert.deepEqual(writes, ["a\nb\n", "c\nd\n"]);
});

test("many lines do not pile up until the turn is over", () => {
	const { writer, writes } = collected();
	for (let i = 0; i < 10; i += 1) writer.write(Buffer.alloc(100_000, "x"));
	assert.deepEqual(
		writes.map(({ length }) => length),
		Array(4).fill(2 * 100_001),
	);
	writer.flush();
	assert.equal(writes.join("").length, 10 * 100_001);
});
