import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import type { Span } from "../../src/wire/envelope.ts";
import { findMember } from "../../src/wire/members.ts";
import { scanEnvelope } from "../../src/wire/scanEnvelope.ts";
import { HOSTILE } from "./hostileFrames.ts";

test("a request shows its id, method and the members that route it", () => {
	const frame = Buffer.from(
		'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"n":1.0},"uri":"a:b","requestId":"7","progressToken":3,"_meta":{"progressToken":"t","io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
	);
	const envelope = scanEnvelope(frame);
	assert.ok(envelope.kind === "request" && envelope.params !== undefined);
	const text = (span: Span | undefined) => span && frame.toString("utf8", span.start, span.end);
	assert.equal(envelope.method, "tools/call");
	assert.deepEqual(
		[
			envelope.id,
			text(envelope.idSpan),
			text(envelope.params.name),
			text(envelope.params.arguments),
			text(envelope.params.uri),
			text(envelope.params.requestId),
			text(envelope.params.progressToken),
			text(envelope.params.metaProgressToken),
			text(envelope.params.metaProtocolVersion),
		],
		["1", "1", '"read"', '{"n":1.0}', '"a:b"', '"7"', "3", '"t"', '"2026-07-28"'],
	);
	assert.equal(text(envelope.params.meta)?.startsWith('{"progressToken"'), true);
});

test("members may come in any order, with any white space, in any spelling", () => {
	const frame = Buffer.from(' \t{ "result" : { "isError" : true } , "js\\u006fnrpc" : "2.0" ,\r\n "id" : "\\u00e9" } ');
	const envelope = scanEnvelope(frame);
	assert.ok(envelope.kind === "response");
	assert.equal(envelope.id, '"\\u00e9"');
	assert.equal(envelope.result.isError, true);
});

test("each kind of message is told apart", () => {
	const kind = (text: string) => scanEnvelope(Buffer.from(text)).kind;
	assert.equal(kind('{"jsonrpc":"2.0","method":"notifications/initialized"}'), "notification");
	assert.equal(kind('{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}'), "request");
	assert.equal(kind('{"jsonrpc":"2.0","id":1,"result":null}'), "response");
	assert.equal(kind('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":{}}}'), "error-response");
	assert.equal(kind('{"jsonrpc":"2.0","id":1,"error":{"code":-32601.0,"message":"no"}}'), "error-response");
	const anonymous = scanEnvelope(Buffer.from('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what"}}'));
	assert.ok(anonymous.kind === "error-response" && anonymous.id === undefined);
});

verifies("002-scope-hostile-frames", "each hostile frame gives a typed refusal that names the reason", () => {
	for (const { text, reason } of HOSTILE) {
		const frame = typeof text === "string" ? Buffer.from(text) : text;
		const envelope = scanEnvelope(frame);
		assert.equal(
			envelope.kind === "invalid" ? envelope.reason : envelope.kind,
			reason,
			frame.toString("latin1").slice(0, 80),
		);
		if (envelope.kind === "invalid") assert.ok(envelope.detail.length > 10 && envelope.detail.length < 200);
	}
});

test("a refusal keeps the id when the frame had one to keep", () => {
	const id = (text: string) => {
		const envelope = scanEnvelope(Buffer.from(text, "latin1"));
		return envelope.kind === "invalid" ? envelope.id : envelope.kind;
	};
	assert.equal(id('{"jsonrpc":"2.0","id":5,"method":""}'), "5");
	assert.equal(id('{"jsonrpc":"1.0","id":5,"method":"x"}'), "5");
	assert.equal(id('{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":'), "5");
	assert.equal(id('{"jsonrpc":"2.0","id":5,"id":6,"method":"x"}'), undefined);
	assert.equal(id('{"jsonrpc":"2.0","method":"x","id":12'), undefined, "the number may go on");
	assert.equal(id('{"method":"x","params":{"a":"\xff"},"jsonrpc":"2.0","id":7}'), "7");
	assert.equal(id('{"method":"x","jsonrpc":"2.0","id":"\xff"}'), undefined);
	assert.equal(id('{"method":"x","jsonrpc":"2.0","id":"\xff","id":7}'), undefined);
	assert.equal(
		id(`{"method":"x","params":${"[".repeat(300)}${"]".repeat(300)},"jsonrpc":"2.0","id":12345678901234567890}`),
		"12345678901234567890",
	);
	assert.equal(id('{"jsonrpc":"2.0","method":"x","params":{"a":1,"id":7}'), undefined, "the id is of another object");
});

test("an answer that cannot be read is told from a question, so that nobody is refused under an id of the other side", () => {
	const said = (text: string) => {
		const envelope = scanEnvelope(Buffer.from(text, "latin1"));
		return envelope.kind === "invalid" ? [envelope.id, envelope.answers] : envelope.kind;
	};
	assert.deepEqual(said('{"jsonrpc":"2.0","id":5,"result":{"a":NaN}}'), [undefined, "5"]);
	assert.deepEqual(said('{"result":{"a":NaN},"jsonrpc":"2.0","id":5}'), [undefined, "5"]);
	assert.deepEqual(said('{"result":{"a":"\xff"},"jsonrpc":"2.0","id":5}'), [undefined, "5"]);
	assert.deepEqual(said('{"jsonrpc":"2.0","id":5,"error":{"code":"no"}}'), [undefined, "5"]);
	assert.deepEqual(said('{"jsonrpc":"2.0","id":5,"result":{},"error":{}}'), [undefined, "5"]);
	assert.deepEqual(said('{"jsonrpc":"2.0","id":5,"result":{"half'), [undefined, "5"]);
	assert.deepEqual(said('{"jsonrpc":"2.0","id":5,"method":"x","params":NaN}'), ["5", undefined]);
});

test("a scan agrees with JSON.parse about every message", () => {
	const message = fc.oneof(
		fc.record({
			jsonrpc: fc.constant("2.0"),
			id: fc.oneof(fc.integer(), fc.string({ maxLength: 40 })),
			method: fc.string({ minLength: 1 }),
			params: fc.dictionary(fc.string(), fc.jsonValue()),
		}),
		fc.record({
			result: fc.jsonValue(),
			jsonrpc: fc.constant("2.0"),
			id: fc.oneof(fc.integer(), fc.string({ maxLength: 40 })),
		}),
	);
	fc.assert(
		fc.property(message, fc.integer({ min: 0, max: 3 }), (each, indent) => {
			const frame = Buffer.from(JSON.stringify(each, null, indent));
			const envelope = scanEnvelope(frame);
			assert.ok(envelope.kind === "request" || envelope.kind === "response", JSON.stringify(envelope));
			assert.deepEqual(JSON.parse(envelope.id), each.id);
			const payload = envelope.kind === "request" ? envelope.params : envelope.result;
			assert.ok(payload);
			assert.deepEqual(
				JSON.parse(frame.toString("utf8", payload.start, payload.end)),
				JSON.parse(JSON.stringify("params" in each ? each.params : each.result)),
			);
		}),
		{ numRuns: 400 },
	);
});

test("a scan and JSON.parse agree on what a frame is and says, save for what strings hold", () => {
	const frames = [
		'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"n":[1.0,-2e5,true,false,null,{"a":"\\u0041\\n"}]},"_meta":{"progressToken":"t"}}}',
		'{"jsonrpc":"2.0","id":"a\\u0062","result":{"isError":false,"content":[{"type":"text","text":"x\\"y\\\\"}]}}',
		' {"result":[] , "i\\u0064":12345678901234567890,"jsonrpc":"2.0"}\r',
		'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"é","data":{}}}',
		'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1e400,"progress":5}}',
	];
	const bits = fc.constantFrom(
		...'{}[],:"\\-+.01eEtu'.split(""),
		...["true", "null", "\\u", "\0", "\u0001", "\t", "\r", "\n", "\v", " ", "\ufeff", "\u00a0", "\u2028", "é", "//"],
		...['"id":2,', '"\\u0069d":2,', ',"method":"y"', "[[[", "}}"],
	);
	const edit = fc.record({ at: fc.nat(200), cut: fc.nat(3), put: fc.oneof(bits, fc.constant("")) });
	fc.assert(
		fc.property(fc.constantFrom(...frames), fc.array(edit, { minLength: 1, maxLength: 3 }), (frame, edits) => {
			const text = edits.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), frame);
			const bytes = Buffer.from(text);
			const envelope = scanEnvelope(bytes);
			const value = parsed(text);
			if (value === undefined) {
				// What strings hold is left to the endpoint, and nothing else.
				if (envelope.kind !== "invalid") assert.ok(parsed(text.replace(/"(?:[^"\\]|\\.)*"/gs, '""')), text);
				return;
			}
			if (envelope.kind === "invalid") {
				assert.notEqual(envelope.reason, "not_json", text);
				return;
			}
			if ("method" in envelope) assert.equal(envelope.method, value.method);
			if ("idSpan" in envelope) {
				const id = bytes.toString("utf8", envelope.idSpan.start, envelope.idSpan.end);
				assert.deepEqual(JSON.parse(id), value.id);
				assert.equal(envelope.id ?? "null", id);
			}
			const payload = "params" in envelope ? envelope.params : "result" in envelope ? envelope.result : undefined;
			if (payload === undefined) return;
			const written: unknown = JSON.parse(bytes.toString("utf8", payload.start, payload.end));
			assert.deepEqual(written, value.params ?? value.result);
		}),
		{ numRuns: 4_000 },
	);
});

test("random bytes and broken frames never throw", () => {
	const frame =
		'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":[1,2,{"b":"\\"c"}]}}}';
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(frame.length), fc.nat(3), (noise, at, cut) => {
			const bytes = Buffer.from(frame);
			scanEnvelope(Buffer.from(noise));
			scanEnvelope(Buffer.concat([bytes.subarray(0, at), Buffer.from(noise), bytes.subarray(at + cut)]));
			scanEnvelope(bytes.subarray(0, at));
		}),
		{ numRuns: 2_000 },
	);
});

test("the nesting limit counts the frame's own object, in and out of the members that are read", () => {
	const nested = (depth: number) => `{"jsonrpc":"2.0","id":1,"result":${"[".repeat(depth)}${"]".repeat(depth)}}`;
	assert.equal(scanEnvelope(Buffer.from(nested(255))).kind, "response");
	const deep = scanEnvelope(Buffer.from(nested(256)));
	assert.ok(deep.kind === "invalid" && deep.reason === "too_deep" && deep.answers === "1");
	const inMeta = (depth: number) =>
		`{"jsonrpc":"2.0","method":"x","params":{"_meta":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}}`;
	assert.equal(scanEnvelope(Buffer.from(inMeta(253))).kind, "notification");
	const shallow = scanEnvelope(Buffer.from(inMeta(254)));
	assert.ok(shallow.kind === "invalid" && shallow.reason === "too_deep");
	assert.match(shallow.detail, /^the frame nests deeper than 256 levels; send such data as text \(byte \d+\)$/);
	assert.equal(scanEnvelope(Buffer.from(nested(1_000_000))).kind, "invalid");
});

test("bytes that are not UTF-8 are refused with the place of the first of them", () => {
	const head = '{"jsonrpc":"2.0","id":1,"method":"é€';
	for (const wrong of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
		const refused = scanEnvelope(Buffer.concat([Buffer.from(head), Buffer.from(wrong), Buffer.from('"}')]));
		assert.ok(refused.kind === "invalid" && refused.reason === "not_utf8");
		assert.equal(refused.detail, `the frame is not valid UTF-8 (byte ${Buffer.byteLength(head)})`);
		assert.equal(refused.id, "1");
	}
});

test("a nested member is reached by name, and a repeated one is no answer", () => {
	const frame = Buffer.from('{"a":{"b":[1],"b\\u0063":2,"d":{"e":1,"e":2}},"f":3}');
	const whole = { start: 0, end: frame.length };
	const look = (...path: string[]) => {
		const answer = findMember(frame, whole, path);
		return "found" in answer ? frame.toString("utf8", answer.found.start, answer.found.end) : answer.missing;
	};
	assert.equal(look("a", "b"), "[1]");
	assert.equal(look("a", "bc"), "2");
	assert.equal(look("a", "x"), "absent");
	assert.equal(look("a", "b", "c"), "not_object");
	assert.equal(look("a", "d", "e"), "duplicate");
	assert.equal(look(), frame.toString());
});

function parsed(text: string): Record<string, unknown> | undefined {
	try {
		return { ...JSON.parse(text) };
	} catch {
		return undefined;
	}
}
