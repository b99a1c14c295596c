import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { StringLog, StringTable } from "../../src/segment/stringTable.ts";

test("strings of any kind read back by their number", () => {
	fc.assert(
		fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 50 }), (strings) => {
			const table = new StringTable(packed(strings));
			assert.equal(table.length, strings.length);
			assert.deepEqual(
				strings.map((_, index) => table.at(index)),
				strings,
			);
			assert.equal(table.at(strings.length), "");
		}),
	);
});

test("a block that is cut off is refused", () => {
	const block = packed(["alpha", "beta\nwith a break"]);
	assert.throws(() => new StringTable(block.subarray(0, -1)), RangeError);
	assert.throws(() => new StringTable(block.subarray(0, 5)), RangeError);
	assert.throws(() => new StringTable(new Uint8Array()), RangeError);
});

test("a log that is used again holds only what was added since", () => {
	const log = new StringLog();
	for (let index = 0; index < 3_000; index++) log.add(`before ${index} ${"漢".repeat(40)}`);
	log.clear();
	log.add("after");
	const table = new StringTable(log.packed());
	assert.equal(table.length, 1);
	assert.equal(table.at(0), "after");
});

test("lone surrogates are replaced, and a string is cut to the length that two bytes can store", () => {
	const table = new StringTable(packed(["\ud83d", "x".repeat(70_000), "next"]));
	assert.equal(table.at(0), "\ufffd");
	assert.equal(table.at(1).length, 65_535);
	assert.equal(table.at(2), "next");
});

function packed(strings: readonly string[]): Uint8Array {
	const log = new StringLog();
	for (const text of strings) log.add(text);
	return log.packed();
}
