import assert from "node:assert/strict";
import { test } from "node:test";
import { KeptTexts } from "../../src/expression/keptTexts.ts";
import type { IndexReader } from "../../src/store/store.ts";

/** A reader of one build that counts how often a text is read. */
function reader(builtAt: string, texts: Record<string, string>): { reader: IndexReader; asked: () => number } {
	let asked = 0;
	const partial: Pick<IndexReader, "meta" | "text"> = {
		meta: () => builtAt,
		text: (segment, ordinal) => {
			asked += 1;
			return texts[`${segment}/${ordinal}`];
		},
	};
	return { reader: partial as IndexReader, asked: () => asked };
}

test("a text is read once per build, and a text that is too large is not cached", () => {
	const kept = new KeptTexts(32_000_000 / 10);
	const first = reader("monday", { "1/0": "alpha", "1/1": "a text of more than ten" });
	const read = kept.read(first.reader, "index-1");
	assert.deepEqual([read(1, 0), read(1, 0), first.asked()], ["alpha", "alpha", 1]);
	assert.deepEqual([read(1, 1), read(1, 1)], ["a text of more than ten", "a text of more than ten"]);
	assert.equal(first.asked(), 3);
	assert.equal(read(9, 9), undefined);
	const second = reader("tuesday", { "1/0": "beta" });
	assert.equal(kept.read(second.reader, "index-1")(1, 0), "beta");
});

test("texts unused by the last few searches are evicted, and recently used ones are not", () => {
	const kept = new KeptTexts(32_000_000 / 100);
	const texts = Object.fromEntries([50, 40, 30].map((length, file) => [`1/${file}`, "x".repeat(length)]));
	const { reader: one, asked } = reader("monday", texts);
	/** Which of the files a search has to read again. */
	const missed = (...files: number[]): number[] => {
		const read = kept.read(one, "index-1");
		return files.filter((file) => {
			const before = asked();
			assert.equal(read(1, file), texts[`1/${file}`]);
			return asked() > before;
		});
	};
	assert.deepEqual(missed(0, 1, 2), [0, 1, 2]);
	assert.deepEqual(missed(0, 1, 2), [2], "the last one finds no room beside the others");
	for (let search = 0; search < 3; search++) assert.deepEqual(missed(1, 2), [2]);
	assert.deepEqual(missed(1, 2), [2], "the first one was of no use for so long that it goes");
	assert.deepEqual(missed(1, 2), []);
	assert.deepEqual(missed(0), [0], "and finds no room now");
	assert.deepEqual(missed(0), [0]);
});
