import assert from "node:assert/strict";
import { test } from "node:test";
import { CodeUnits } from "../../src/segment/codeUnits.ts";

test("texts of all sizes are read one after the other, and the room of a huge one is let go with it", () => {
	const units = new CodeUnits();
	for (const text of ["short", "漢😀".repeat(100_000), "y".repeat(3_000_000), "short again", "z".repeat(200_000), ""]) {
		units.load(text);
		assert.equal(units.length, text.length);
		assert.equal(Buffer.from(units.units.slice(0, text.length).buffer).toString("utf16le"), text);
	}
	assert.ok(units.units.length < 1_000_000, `${units.units.length} units are kept`);
});
