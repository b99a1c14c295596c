import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { ContentLengthReader } from "../../src/wire/contentLengthReader.ts";
import { encodeFrame, type Framing, splitFrame } from "../../src/wire/encodeFrame.ts";
import type { FrameEvent, FrameReader } from "../../src/wire/frame.ts";
import { NdjsonReader } from "../../src/wire/ndjsonReader.ts";
import { readOversizeId } from "../../src/wire/oversizeId.ts";

const READERS = { ndjson: NdjsonReader, "content-length": ContentLengthReader } as const;
const FRAMINGS: readonly Framing[] = ["ndjson", "content-length"];

verifies("002-scope-frame-helpers", "messages survive any chunking, in both framings, wherever the chunks lie", () => {
	const message = fc.record({ jsonrpc: fc.constant("2.0"), id: fc.integer(), result: fc.jsonValue() });
	for (const framing of FRAMINGS) {
		fc.assert(
			fc.property(
				fc.array(message, { maxLength: 6 }),
				fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
				(messages, sizes) => {
					const stream = Buffer.concat(messages.map((each) => encodeFrame(each, framing)));
					const sideBySide = [...chunked(stream, sizes)];
					const scattered = sideBySide.map((chunk) => Buffer.concat([chunk, Buffer.from("?")]).subarray(0, -1));
					const mixed = sideBySide.map((chunk, i) => (i % 3 === 0 ? (scattered[i] ?? chunk) : chunk));
					for (const chunks of [sideBySide, scattered, mixed])
						assert.deepEqual(
							readAll(new READERS[framing](), chunks).map((event) =>
								event.type === "frame" ? event.bytes.toString() : event.type,
							),
							messages.map((each) => JSON.stringify(each)),
						);
				},
			),
			{ numRuns: 200 },
		);
	}
});

test("a frame over the limit is counted, skipped and named by its id, and the next frame is read", () => {
	const big = JSON.stringify({ jsonrpc: "2.0", id: "big", result: { text: "x".repeat(5_000) } });
	const tailed = `{"result":{"text":"${"y".repeat(5_000)}"},"jsonrpc":"2.0","id":77}`;
	const cut = `{"jsonrpc":"2.0","result":"${"z".repeat(5_000)}","id":1,"more":"${"z".repeat(5_000)}"}`;
	const small = '{"jsonrpc":"2.0","id":2,"result":{}}';
	for (const framing of FRAMINGS) {
		for (const step of [7, 64, 999, 100_000]) {
			const reader = new READERS[framing]({ maxFrameBytes: 4_096 });
			const stream = Buffer.concat(
				[big, tailed, cut, small].flatMap((text) => splitFrame([Buffer.from(text)], framing)),
			);
			const events = readAll(reader, chunked(stream, [step]));
			assert.deepEqual(
				events.map((event) => [
					event.type,
					event.type === "oversize" ? [event.size, readOversizeId(event)] : undefined,
				]),
				[
					["oversize", [big.length, '"big"']],
					["oversize", [tailed.length, "77"]],
					["oversize", [cut.length, undefined]],
					["frame", undefined],
				],
				`${framing} in steps of ${step}`,
			);
		}
	}
});

verifies("002-scope-frame-helpers", "the size limit holds while a frame is being read, not after", () => {
	const limit = 1024 * 1024;
	for (const framing of FRAMINGS) {
		const reader = new READERS[framing]({ maxFrameBytes: limit });
		if (framing === "content-length") reader.push(Buffer.from(`Content-Length: ${64 * limit}\r\n\r\n`));
		const chunk = Buffer.alloc(65_536, "x");
		const before = process.memoryUsage().arrayBuffers;
		let most = 0;
		for (let sent = 0; sent < 64 * limit; sent += chunk.length) {
			reader.push(chunk);
			most = Math.max(most, reader.held);
		}
		assert.ok(most <= limit + 8192, `${framing} held ${most} bytes`);
		assert.ok(reader.held <= 2048, `${framing} still holds ${reader.held} bytes`);
		const grown = process.memoryUsage().arrayBuffers - before;
		assert.ok(grown < 2 * limit, `${framing} grew by ${grown} bytes`);
	}
});

verifies(
	"002-scope-hostile-frames",
	"whatever bytes come, a reader answers with events and reads the next good frame",
	() => {
		const good = '{"jsonrpc":"2.0","id":9,"method":"ping"}';
		const hostile = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
		fc.assert(
			fc.property(hostile, fc.integer({ min: 1, max: 64 }), (bytes, step) => {
				const stream = Buffer.concat([bytes, Buffer.from(`\n${good}\n`)]);
				const events = readAll(new NdjsonReader({ maxFrameBytes: 128 }), chunked(stream, [step]));
				const last = events.at(-1);
				assert.ok(last?.type === "frame" && last.bytes.toString() === good);
			}),
			{ numRuns: 500 },
		);
	},
);

test("lines may end in CRLF, blank ones are nothing, and the end of the stream is told", () => {
	const reader = new NdjsonReader();
	assert.deepEqual(texts(reader.push(Buffer.from('\r\n \t\n{"a":1}\r\n{"b":2}\n{"half'))), ['{"a":1}', '{"b":2}']);
	assert.equal(reader.held, 6);
	assert.deepEqual(reader.end(), [{ type: "residue", bytes: Buffer.from('{"half'), size: 6 }]);
	assert.deepEqual(reader.end(), []);
});

test("a last line over the limit is told as such, though no newline ends it", () => {
	const reader = new NdjsonReader({ maxFrameBytes: 128 });
	const line = Buffer.from(`{"id":7,"x":"${"x".repeat(5_000)}"}`);
	assert.deepEqual(reader.push(line), []);
	const [head, tail] = [line.subarray(0, 1024), line.subarray(-1024)];
	assert.deepEqual(reader.end(), [{ type: "oversize", size: line.length, head, tail }]);
	assert.deepEqual(reader.end(), []);
});

test("a byte order mark is nothing at the start of a stream where it may be, and part of the line anywhere else", () => {
	const mark = "\ufeff";
	const stream = Buffer.from(`${mark}{"a":1}\n${mark}{"b":2}\n`);
	for (const step of [1, 2, 5, 100])
		assert.deepEqual(texts(readAll(new NdjsonReader({ skipMark: true }), chunked(stream, [step]))), [
			'{"a":1}',
			`${mark}{"b":2}`,
		]);
	assert.deepEqual(new NdjsonReader({ skipMark: true }).push(Buffer.from(`${mark}\r\n`)), []);
	const reader = new NdjsonReader({ skipMark: true });
	reader.push(Buffer.from(`${mark}{"a":1}`));
	assert.deepEqual(
		reader.end().map((event) => event.type === "residue" && event.bytes.toString()),
		['{"a":1}'],
	);
	assert.deepEqual(texts(new NdjsonReader().push(stream)), [`${mark}{"a":1}`, `${mark}{"b":2}`]);
});

test("the unread bytes of one reader continue in another", () => {
	const first = new NdjsonReader();
	first.push(Buffer.from('{"id":1}\n{"jsonrpc":'));
	const second = new NdjsonReader();
	second.push(first.takeResidue());
	assert.deepEqual(texts(second.push(Buffer.from('"2.0"}\n'))), ['{"jsonrpc":"2.0"}']);
	assert.equal(first.held, 0);
});

test("a frame read from several chunks is not changed by the chunks that follow", () => {
	const reader = new NdjsonReader();
	const chunk = Buffer.from('"}\n{"b":"');
	reader.push(Buffer.from('{"a":"'));
	const [first] = reader.push(chunk);
	reader.push(Buffer.from("zzz"));
	assert.ok(first?.type === "frame");
	assert.equal(first.bytes.toString(), '{"a":""}');
	assert.equal(chunk.toString(), '"}\n{"b":"');
});

test("a header block that says nothing usable is reported once and the next frame is read", () => {
	const good = "Content-Length: 2\r\n\r\n{}";
	const cases = [
		"Content-Type: x\r\n\r\n",
		"Content-Length: -1\r\n\r\n",
		"Content-Length: 1e3\r\n\r\n",
		"Content-Length: 99999999999999999999\r\n\r\n",
		"Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
		`X: ${"h".repeat(20_000)}\r\n\r\n`,
		`${"A: b\r\n".repeat(3_000)}\r\n`,
		"\u0000\u0001garbage\r\n\r\n",
	];
	for (const bad of cases) {
		for (const step of [1, 5, 70_000]) {
			const events = readAll(new ContentLengthReader(), chunked(Buffer.from(bad + good), [step]));
			assert.deepEqual(
				events.map((event) => event.type),
				["bad-header", "frame"],
				JSON.stringify(bad.slice(0, 60)),
			);
		}
	}
});

test("header names ignore case, other headers pass, an empty frame is nothing", () => {
	const stream = Buffer.from(
		"content-length : 0\r\n\r\nContent-Type: a\r\nCONTENT-LENGTH: 2\r\n\r\n{}\r\n\r\nContent-Length: 4\n\nnull",
	);
	assert.deepEqual(texts(readAll(new ContentLengthReader(), [stream])), ["{}", "null"]);
});

function readAll(reader: FrameReader, chunks: Iterable<Buffer>): FrameEvent[] {
	const events: FrameEvent[] = [];
	for (const chunk of chunks) events.push(...reader.push(chunk));
	return [...events, ...reader.end()];
}

function* chunked(stream: Buffer, sizes: Iterable<number>): Generator<Buffer> {
	let at = 0;
	let step = 1;
	const steps = sizes[Symbol.iterator]();
	while (at < stream.length) {
		step = steps.next().value ?? step;
		yield stream.subarray(at, at + step);
		at += step;
	}
}

function texts(events: readonly FrameEvent[]): string[] {
	return events.map((event) => (event.type === "frame" ? event.bytes.toString() : event.type));
}
