import assert from "node:assert/strict";
import { test } from "node:test";
import { LineWriter } from "../../src/server/lineWriter.ts";

function collected(): { readonly writer: LineWriter; readonly writes: (string | Buffer)[] } {
	const writes: (string | Buffer)[] = [];
	return { writer: new LineWriter((bytes) => void writes.push(bytes)), writes };
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
	assert.deepEqual(writes.map(String), ["a\nb\n", "c\nd\n"]);
});

test("many lines do not pile up until the turn is over", () => {
	const { writer, writes } = collected();
	for (let i = 0; i < 10; i += 1) writer.write("x".repeat(100_000));
	assert.equal(writes.join("").length, 9 * 100_001);
	writer.flush();
	assert.equal(writes.join("").length, 10 * 100_001);
});

test("lines that lie side by side in one chunk are passed on without a copy, others never borrow a neighbour's byte", () => {
	const chunk = Buffer.alloc(20_000, "x");
	chunk[9] = chunk[19] = 0x0a;
	for (const [lines, text, shared] of [
		[[chunk.subarray(0, 9)], `${"x".repeat(9)}\n`, true],
		[[chunk.subarray(0, 9), chunk.subarray(10, 19)], `${"x".repeat(9)}\n${"x".repeat(9)}\n`, true],
		[[chunk.subarray(10, 19), chunk.subarray(0, 9)], `${"x".repeat(9)}\n${"x".repeat(9)}\n`, false],
		[[chunk.subarray(0, 5)], "xxxxx\n", false],
		[[chunk.subarray(19_990)], `${"x".repeat(10)}\n`, false],
	] as const) {
		const { writer, writes } = collected();
		for (const line of lines) writer.write(line);
		writer.flush();
		const [written] = writes;
		assert.equal(String(written), text);
		assert.equal(Buffer.isBuffer(written) && written.buffer === chunk.buffer, shared);
	}
});
