import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { until } from "../../../../e2e/until.ts";
import { Bench, textOf } from "./harness.ts";

const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double(), fc.constant({}), fc.constant([1]));
const method = fc.constantFrom(
	"tools/call",
	"tools/list",
	"ping",
	"initialize",
	"notifications/cancelled",
	"notifications/progress",
	"notifications/initialized",
	"subscriptions/listen",
	"resources/subscribe",
	"logging/setLevel",
	"__proto__",
	"",
);
const params = fc.oneof(
	fc.json({ maxDepth: 3 }).map((text): unknown => JSON.parse(text)),
	fc.record(
		{
			name: fc.oneof(fc.constantFrom("holdfast_health", "read", "__proto__", "nobody"), fc.integer()),
			arguments: fc.oneof(fc.constant({ render: "xml" }), fc.string(), fc.constant(null)),
			requestId: id,
			uri: fc.oneof(fc.string(), fc.integer()),
			_meta: fc.oneof(fc.constant({ progressToken: [] }), fc.constant(7), fc.constant({ progressToken: "a" })),
		},
		{ requiredKeys: [] },
	),
);
const line = fc.oneof(
	fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replaceAll("\n", " ")),
	fc
		.record({ jsonrpc: fc.constant("2.0"), id, method, params }, { requiredKeys: ["jsonrpc"] })
		.map((one) => JSON.stringify(one)),
	fc
		.record({ jsonrpc: fc.constant("2.0"), id, result: fc.anything() })
		.map((one) => String(JSON.stringify(one, plain))),
);

test("whatever a client sends, the host lives, answers every good call once and keeps its books", async (t) => {
	const bench = new Bench(t, { deadlines: { hardMs: 5_000 } });
	await bench.initialize();
	const lines = fc.sample(line, { numRuns: 1_500, seed: 7 });
	for (const [index, text] of lines.entries()) {
		bench.write(text);
		if (index % 250 === 0) {
			assert.match(
				textOf(await bench.request("tools/call", { name: "read", arguments: {} }, `good-${index}`)),
				/^\d+$/,
			);
		}
	}
	assert.match(textOf(await bench.request("tools/call", { name: "read", arguments: {} }, "last")), /^\d+$/);
	assert.equal(bench.answers("last").length, 1);
	const health = await bench.request("tools/call", { name: "holdfast_health", arguments: {} }, "health");
	assert.match(textOf(health), /^fixtureServer is ready/);
	const { totals } = bench.host.telemetry();
	assert.equal(totals.requests, totals.successes + totals.errors + totals.cancelled + totals.inFlight);
	assert.equal(bench.host.telemetry().faults["invariant.unexpected_error"], undefined);
});

test("a message may come byte by byte, with a return before its newline and blank lines around it", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},';
	for (const [id, more] of [
		["legacy", ""],
		["modern", meta],
	] as const) {
		const line = `\r\n {"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{${more}"name":"read","arguments":{"key":"caf\\u00e9\\\\"}}}`;
		for (const byte of `${line}\r`) {
			bench.write(byte, "");
			await new Promise((resolve) => setImmediate(resolve));
		}
		bench.write("");
		await until(() => bench.answers(id).length === 1, `the ${id} message is answered`);
		assert.match(textOf(bench.answers(id)[0] ?? {}), /^\d+$/);
	}
	assert.equal(bench.answers(null).length, 0);
});

test("a client may begin what it writes with a byte order mark, as programs for Windows do", async (t) => {
	const bench = new Bench(t);
	bench.write("\ufeff", "");
	await bench.initialize();
	assert.equal(bench.answers(null).length, 0);
});

test("a last message without its newline is answered before the session ends", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	bench.write('{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"read","arguments":{}}}', "");
	await bench.close();
	assert.match(textOf(bench.answers("last")[0] ?? {}), /^\d+$/);
});

const RAVING = `
const lines = require("node:fs").readFileSync(process.argv[1], "utf8").split("\\n");
let at = 0;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	for (let n = 0; n < 100; n++) process.stdout.write(lines[at++ % lines.length] + "\\n");
	const { id } = JSON.parse(line);
	if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "sane" }] } }) + "\\n");
});`;

test("whatever a worker raves between its answers, the client gets them and only them, once each", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-raving-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, "lines");
	writeFileSync(file, fc.sample(line, { numRuns: 2_000, seed: 11 }).join("\n"));
	const bench = new Bench(t, { command: process.execPath, args: ["-e", RAVING, file], opsTools: false });
	for (let n = 0; n < 20; n++) {
		const answer = await bench.request("tools/call", { name: "read", arguments: {} }, `call-${n}`);
		assert.equal(textOf(answer), "sane");
	}
	for (let n = 0; n < 20; n++) assert.equal(bench.answers(`call-${n}`).length, 1);
	assert.equal(
		bench.received.filter((one) => one.method === undefined && !String(one.id).startsWith("call-")).length,
		0,
	);
	assert.equal(bench.host.telemetry().totals.successes, 20);
});

function plain(_key: string, value: unknown): unknown {
	return typeof value === "bigint" ? value.toString() : value;
}
