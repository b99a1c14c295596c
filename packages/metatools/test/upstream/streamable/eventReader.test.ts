import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { EventReader, OversizeError, type ServerEvent } from "../../../src/upstream/streamable/eventReader.ts";

/** The text in pieces of these sizes, over and over. */
function pieces(text: string, sizes: readonly number[]): string[] {
	const found: string[] = [];
	for (let at = 0, turn = 0; at < text.length; turn++) {
		const size = sizes[turn % sizes.length] ?? 1;
		found.push(text.slice(at, at + size));
		at += size;
	}
	return found;
}

function read(text: string, sizes: readonly number[]): { reader: EventReader; events: ServerEvent[] } {
	const reader = new EventReader(10_000);
	return { reader, events: pieces(text, sizes).flatMap((piece) => [...reader.push(piece)]) };
}

const STREAM = [
	"\ufeff: a comment",
	"",
	"id: 1",
	"retry: 40",
	"data: ",
	"",
	"event: message",
	'data: {"a":1,',
	'data:"b":2}',
	"id: 2",
	"",
	"event:other",
	"data",
	"data:  two spaces",
	"",
	"id: never whole",
	"data: cut off",
].join("\n");

test("events are the same however the text is cut and its lines end", () => {
	for (const end of ["\n", "\r\n", "\r"]) {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }), (sizes) => {
				const { reader, events } = read(STREAM.replaceAll("\n", end), sizes);
				assert.deepEqual(events, [
					{ type: "message", data: '{"a":1,\n"b":2}' },
					{ type: "other", data: "\n two spaces" },
				]);
				assert.equal(reader.lastEventId, "2", "an event that never ended counts for nothing");
				assert.equal(reader.retryMs, 40);
			}),
		);
	}
});

test("an id is kept over events without one, taken back by an empty one, and never holds a NUL", () => {
	const reader = new EventReader(1_000, "from before");
	const idAfter = (text: string) => {
		reader.push(text);
		return reader.lastEventId;
	};
	assert.equal(idAfter("data: x\n\n"), "from before");
	assert.equal(idAfter("id: a\ndata: x\n\n"), "a");
	assert.equal(idAfter("id: b\0\ndata: x\n\n"), "a");
	assert.equal(idAfter("id\ndata: x\n\n"), undefined);
});

test("a stream may be without end, one event may not", () => {
	const reader = new EventReader(100);
	for (let n = 0; n < 1_000; n++) assert.equal(reader.push(`data: ${"x".repeat(60)}\n\n`).length, 1);
	assert.throws(() => {
		for (let n = 0; n < 200; n++) reader.push("x");
	}, OversizeError);
	const lines = new EventReader(100);
	assert.throws(() => {
		for (let n = 0; n < 200; n++) lines.push("data: x\r");
	}, /over 100 bytes/);
});
