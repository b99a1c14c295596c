import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { packStrings, StringTable } from "../../src/index/stringTable.ts";

test("strings of any kind read back by their number", () => {
	fc.assert(
		fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 50 }), (strings) => {
			const table = new StringTable(packStrings(strings));
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
	const block = packStrings(["alpha", "beta\nwith a break"]);
	assert.throws(() => new StringTable(block.subarray(0, -1)), RangeError);
	assert.throws(() => new StringTable(block.subarray(0, 5)), RangeError);
	assert.throws(() => new StringTable(new Uint8Array()), RangeError);
});
