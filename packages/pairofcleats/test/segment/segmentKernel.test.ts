import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";
import { SegmentBuilder } from "../../src/segment/segmentBuilder.ts";
import { SegmentKernel } from "../../src/segment/segmentKernel.ts";

test("texts of all sizes are read in turn, and the memory of a huge one is reused", () => {
	const kernel = new SegmentKernel();
	const sizes: number[] = [];
	for (let round = 0; round < 4; round++) {
		for (const text of [
			"short",
			"漢😀".repeat(100_000),
			"y".repeat(3_000_000),
			"short again",
			"z".repeat(200_000),
			"",
		]) {
			const at = kernel.load(text);
			const aside = kernel.loadAside("beside it");
			assert.equal(kernel.bytes.toString("utf16le", at, at + 2 * text.length), text);
			assert.equal(kernel.bytes.toString("utf16le", aside, aside + 18), "beside it");
		}
		sizes.push(kernel.bytes.length);
	}
	assert.equal(sizes.at(-1), sizes[1], "memory does not grow with every huge text");
});

test("a segment does not depend on the one before it", async () => {
	const alone = await segmentOf("src/queue.ts", QUEUE);
	await segmentOf("docs/other.md", "# Größe\n\nAnother queue, of other words: 漢字 and `takeFirst`.\n".repeat(400));
	assert.deepEqual(await segmentOf("src/queue.ts", QUEUE), alone);
	assert.ok(alone.length > 60, "terms and trigrams were written");
});

const QUEUE = `import { now } from "./clock.ts";
/** Waits größer als nichts. */
export class TaskQueue<Item> {
	readonly #items: Item[] = [];
	takeFirst(): Item | undefined {
		return this.#items.shift() ?? now();
	}
}
`;

/** Everything written for a file, by a builder that is closed afterwards. */
async function segmentOf(path: string, text: string): Promise<unknown[]> {
	const utf8 = Buffer.from(text);
	const builder = new SegmentBuilder(undefined);
	const parsed = await parseFile(path, text);
	builder.add({ path, mode: "code", role: "source", text, utf8, hash: "", bytes: utf8.length, parsed });
	const written: unknown[] = [];
	builder.write({
		begin: ({ docs, columns }) => written.push([docs, [...columns]]),
		texts: ({ first, block }) => written.push([first, block.length]),
		details: ({ first, block }) => written.push([first, block.length]),
		term: (term, count, postings) => written.push([term, count, [...postings]]),
		trigram: (trigram, files) => written.push([trigram, Array.from(files)]),
		end: () => 1,
	});
	builder.close();
	return written;
}
