import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mentionsIn } from "../../src/rank/mentions.ts";

test("the frames of a stack trace name files by how their paths end", () => {
	const mentions = mentionsIn('  File "/usr/lib/python3/site-packages/app/store/query.py", line 3, in run');
	assert.equal(mentions?.("src/app/store/query.py"), 1);
	assert.equal(mentions?.("src/other/query.py"), 0.5);
	assert.equal(mentions?.("src/app/store/index.py"), 0);
});

test("a module written with dots is the file of that path, whatever is read from it", () => {
	const mentions = mentionsIn("calling app.store.query.Query.run twice fails");
	assert.equal(mentions?.("src/app/store/query.py"), 1);
	assert.equal(mentions?.("lib/query.py"), 0);
});

test("a Windows path names the same file", () => {
	assert.equal(mentionsIn("at C:\\work\\app\\query.ts:3:14")?.("app/query.ts"), 1);
});

test("a text without a path names nothing", () => {
	assert.equal(mentionsIn("how are failed requests retried"), undefined);
});

test("any text is read in bounded time", () => {
	fc.assert(
		fc.property(fc.string({ maxLength: 2_000 }), (text) => {
			const sure = mentionsIn(text)?.("src/app/query.ts") ?? 0;
			return sure >= 0 && sure <= 1;
		}),
	);
	for (const piece of ["a", "a.", "a/", "./", "@-+", "_a."]) mentionsIn(piece.repeat(20_000))?.("src/app/query.ts");
});
