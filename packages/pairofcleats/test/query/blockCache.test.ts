import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BlockCache } from "../../src/query/fileTexts.ts";

const HALF = 64;

function fill(cache: BlockCache<number>, key: string, length: number, value: number): void {
	cache.add(key, length, value).fill(value);
}

test("a cached block keeps its content, whatever is added in between", () => {
	const step = fc.record({ key: fc.nat(12), length: fc.integer({ min: 0, max: HALF + 8 }) });
	fc.assert(
		fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
			const cache = new BlockCache<number>(2 * HALF);
			const filled = new Map<string, { length: number; value: number }>();
			for (const [index, { key, length }] of steps.entries()) {
				const known = cache.get(`k${key}`);
				const value = index % 251;
				if (!known) {
					fill(cache, `k${key}`, length, value);
					filled.set(`k${key}`, { length, value });
					continue;
				}
				const wanted = filled.get(`k${key}`);
				assert.equal(known.about, wanted?.value);
				assert.deepEqual([...known.bytes], new Array(wanted?.length).fill(wanted?.value));
			}
		}),
	);
});

test("recently used blocks are kept, and others are evicted", () => {
	const cache = new BlockCache<number>(2 * HALF);
	fill(cache, "used", 16, 1);
	fill(cache, "unused", 16, 2);
	for (let value = 3; value < 20; value++) {
		fill(cache, `other ${value}`, 16, value);
		assert.deepEqual([...(cache.get("used")?.bytes ?? [])], new Array(16).fill(1));
	}
	assert.equal(cache.get("unused"), undefined);
});

test("blocks are stored in two halves, and a block larger than a half is not cached", () => {
	const cache = new BlockCache<number>(2 * HALF);
	const memories = new Set<ArrayBufferLike>();
	for (let value = 0; value < 100; value++) memories.add(cache.add(`k${value}`, 24, value).buffer);
	assert.deepEqual(
		[...memories].map(({ byteLength }) => byteLength),
		[HALF, HALF],
	);
	assert.equal(cache.add("large", HALF + 1, 0).length, HALF + 1);
	assert.equal(cache.get("large"), undefined);
});

test("after clearing, nothing is found", () => {
	const cache = new BlockCache<number>(2 * HALF);
	for (let value = 0; value < 6; value++) fill(cache, `k${value}`, 16, value);
	cache.clear();
	for (let value = 0; value < 6; value++) assert.equal(cache.get(`k${value}`), undefined);
	fill(cache, "new", 16, 7);
	assert.deepEqual([...(cache.get("new")?.bytes ?? [])], new Array(16).fill(7));
});
