import assert from "node:assert/strict";
import { test } from "node:test";
import { recordMeta } from "../../src/segment/segmentBuilder.ts";

test("every field of a record is found by its dotted name, one without a value too", () => {
	assert.deepEqual(recordMeta('{"N":10,"ok":false,"none":null,"in":{"a":["X",null]}}'), [
		"n=10",
		"ok=false",
		"none=null",
		"in.a=x",
		"in.a=null",
	]);
	assert.deepEqual(recordMeta("null"), []);
	assert.deepEqual(recordMeta("no JSON"), []);
});
