import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import { FrameSink } from "../../src/wire/frameSink.ts";
import { NdjsonReader } from "../../src/wire/ndjsonReader.ts";

test("frames that lie side by side in their chunk leave as one piece of it", async () => {
	const stream = new PassThrough();
	const sink = new FrameSink(stream);
	const chunk = Buffer.alloc(100_000);
	const size = chunk.write('{"a":1}\n{"b":2}\n{"c":3}\n');
	for (const event of new NdjsonReader().push(chunk.subarray(0, size))) {
		if (event.type === "frame") sink.write(event.bytes);
	}
	sink.flush();
	const written: unknown = stream.read();
	assert.ok(Buffer.isBuffer(written));
	assert.equal(written.toString(), '{"a":1}\n{"b":2}\n{"c":3}\n');
	assert.equal(written.buffer, chunk.buffer);
});

test("a stale newline behind a frame in the shared pool is not taken for its own", () => {
	const stream = new PassThrough();
	const sink = new FrameSink(stream);
	const pool = Buffer.from(`${"x".repeat(20)}\n${"y".repeat(20)}`);
	sink.write(pool.subarray(0, 20));
	pool.fill(0x7a, 20);
	sink.write(Buffer.from("next"));
	sink.flush();
	assert.equal(String(stream.read()), `${"x".repeat(20)}\nnext\n`);
});

test("whatever mix of frames and messages is written comes out line by line in its order", () => {
	const frame = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ minLength: 3_000, maxLength: 9_000 }));
	fc.assert(
		fc.property(fc.array(frame, { maxLength: 30 }), (texts) => {
			const stream = new PassThrough({ highWaterMark: 1e9 });
			const sink = new FrameSink(stream);
			const expected: string[] = [];
			for (const [index, text] of texts.entries()) {
				const line = JSON.stringify(text);
				expected.push(line);
				if (index % 3 === 0) sink.writeMessage(text);
				else sink.write(Buffer.from(line));
				if (index % 5 === 0) sink.flush();
			}
			sink.flush();
			const written: unknown = stream.read();
			assert.equal(written === null ? "" : String(written), expected.map((line) => `${line}\n`).join(""));
		}),
	);
});
