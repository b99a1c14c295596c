import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import { encodeFrame, spliceId, spliceSpans, splitFrame, writePieces } from "../../src/wire/encodeFrame.ts";
import { toRequestId } from "../../src/wire/requestId.ts";
import { scanEnvelope } from "../../src/wire/scanEnvelope.ts";

test("a spliced frame differs in its id alone, whatever its size, its id and its framing", () => {
	const id = fc.oneof(fc.integer(), fc.string({ maxLength: 30 }));
	fc.assert(
		fc.property(id, id, fc.jsonValue(), fc.constantFrom(0, 10, 70_000), (before, after, result, padding) => {
			const prefix = '{"jsonrpc":"2.0","big":1e400,"id":';
			const rest = `,"result":${JSON.stringify({ result, padding: "p".repeat(padding) })}}`;
			const frame = Buffer.from(prefix + JSON.stringify(before) + rest);
			const envelope = scanEnvelope(frame);
			assert.ok(envelope.kind === "response");
			const expected = prefix + JSON.stringify(after) + rest;
			assert.equal(Buffer.concat(spliceId(frame, envelope.idSpan, toRequestId(after))).toString(), `${expected}\n`);
			assert.equal(
				Buffer.concat(spliceId(frame, envelope.idSpan, toRequestId(after), "content-length")).toString(),
				`Content-Length: ${Buffer.byteLength(expected)}\r\n\r\n${expected}`,
			);
		}),
		{ numRuns: 150 },
	);
});

test("several spans are replaced at once, and overlapping ones refused", () => {
	const frame = Buffer.from('{"id":1,"token":"abc"}');
	const id = { start: 6, end: 7 };
	const token = { start: 16, end: 21 };
	assert.equal(
		Buffer.concat(
			spliceSpans(frame, [
				{ span: token, text: "9" },
				{ span: id, text: '"x"' },
			]),
		).toString(),
		'{"id":"x","token":9}\n',
	);
	assert.throws(
		() =>
			spliceSpans(frame, [
				{ span: id, text: "1" },
				{ span: { start: 5, end: 8 }, text: "2" },
			]),
		RangeError,
	);
});

test("pieces are written together and framed as one message", () => {
	const stream = new PassThrough();
	const payload = [Buffer.from('{"a":'), Buffer.from('"é"}')];
	writePieces(stream, splitFrame(payload));
	writePieces(stream, splitFrame(payload, "content-length"));
	writePieces(stream, [encodeFrame({ b: 1 })]);
	assert.equal(String(stream.read()), '{"a":"é"}\nContent-Length: 10\r\n\r\n{"a":"é"}{"b":1}\n');
	const full = new PassThrough({ highWaterMark: 1 });
	assert.equal(writePieces(full, [encodeFrame({ b: 1 })]), false);
});
