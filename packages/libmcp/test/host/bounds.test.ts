import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { Bench, faultOf, textOf } from "./harness.ts";

const MEGABYTES_8 = "x".repeat(8_000_000);

test("requests held for a worker that answers none of them are bounded", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	for (let n = 0; n < 12; n++) void bench.tool("read", { do: "hang", key: MEGABYTES_8 });
	await until(() => bench.received.some((one) => one.error !== undefined), "one is refused");
	const refused = bench.received.find((one) => one.error !== undefined) ?? {};
	assert.equal(faultOf(refused).code, "queue_overloaded");
	assert.match(String(faultOf(refused).detail), /^\d+ bytes of requests are held; at most 67108864 may be$/);
	assert.ok(bench.host.state().inFlight <= 8);
});

/** Reads nothing for a while, then tells how many notifications came before a call. */
const LATE_READER = `
setTimeout(() => {
	let notes = 0;
	require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
		const { id } = JSON.parse(line);
		if (id === undefined) notes++;
		else console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: String(notes) }] } }));
	});
}, 1500);`;

test("notifications held for a worker that reads none of them are bounded, and are no calls in flight", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", LATE_READER] });
	for (let n = 0; n < 14; n++) bench.notify("notifications/large", { text: MEGABYTES_8 });
	const answer = bench.request("plain");
	await until(() => bench.host.state().waiting === 1, "the call waits");
	assert.equal(bench.host.state().inFlight, 0);
	const passed = Number(textOf(await answer));
	assert.ok(passed >= 1 && passed <= 10, `${passed} of 14 got through`);
});

/** Asks its client something with each call, and tells the last answer that it got. */
const INQUISITIVE = `
let answer = "nothing yet";
let asked = 0;
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params, error } = JSON.parse(line);
	if (error) answer = id + ": " + error.message;
	if (method === "initialize") return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "inquisitive", version: "1" } } });
	if (method === "tools/list") return send({ id, result: { tools: [{ name: "ask", inputSchema: { type: "object" } }] } });
	if (method !== "tools/call") return;
	send({ id: "q" + ++asked, method: "elicitation/create", params: { message: "question " + asked } });
	send({ id, result: { content: [{ type: "text", text: answer }] } });
});`;

test("of questions that the client has left unanswered for seconds the oldest is given up, so that the newest is asked", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", INQUISITIVE] });
	await bench.initialize();
	for (let n = 1; n <= 256; n++) assert.equal(textOf(await bench.tool("ask")), "nothing yet");
	await bench.tool("ask");
	assert.equal(
		textOf(await bench.tool("ask")),
		"q257: at most 256 requests may be open",
		"nobody answers so many at once",
	);
	await delay(3_100);
	await bench.tool("ask");
	const questions = bench.notifications("elicitation/create");
	assert.equal(questions.at(-1)?.params?.message, "question 259");
	assert.deepEqual(
		bench.notifications("notifications/cancelled").map(({ params }) => params?.requestId),
		[questions[0]?.id],
	);
	assert.match(textOf(await bench.tool("ask")), /^q1: the client left it unanswered while 256 newer requests came/);
});

/** Says that its tools changed whenever it is asked for them, and tells how often that was. */
const RESTLESS = `
let lists = 0;
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "notifications/initialized") for (let n = 0; n < 500; n++) send({ method: "notifications/tools/list_changed" });
	if (id === undefined) return;
	if (method === "initialize") return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "restless", version: "1" } } });
	if (method === "tools/call") return send({ id, result: { content: [{ type: "text", text: String(lists) }] } });
	lists++;
	send({ method: "notifications/tools/list_changed" });
	send({ id, result: { tools: [] } });
});`;

test("a server that keeps saying its tools changed is not asked for them without end", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", RESTLESS] });
	await bench.initialize();
	await delay(1_500);
	const lists = Number(textOf(await bench.tool("any")));
	// The client's own, the first after the handshake, and one for each second or so.
	assert.ok(lists >= 3 && lists <= 8, `asked ${lists} times`);
	// The first ten of a second as they come, then one for all the others.
	await until(
		() => bench.notifications("notifications/tools/list_changed").length > 10,
		"the client hears of it again",
	);
});

/** A list of more tools than a function call takes arguments, all but the last without a name. */
const PROLIFIC = `
const tools = [...Array(Number(process.argv[1])).fill(0), { name: "last" }];
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "prolific", version: "1" } } });
	if (method === "tools/list") send({ id, result: { tools } });
});`;

test("a very long tool list is learnt to its end", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", PROLIFIC, "150000"] });
	await bench.request("initialize", { protocolVersion: "2025-11-25" });
	bench.notify("notifications/initialized");
	await until(() => bench.host.health().notes.length > 0 || bench.host.health().lastFault !== null, "it is read");
	assert.equal(bench.host.health().lastFault, null);
});

test("a tool list of more items than any server has is refused whole, and the server goes on serving", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", PROLIFIC, "200000"] });
	await bench.request("initialize", { protocolVersion: "2025-11-25" });
	bench.notify("notifications/initialized");
	await until(() => bench.host.health().lastFault !== null, "it is read");
	assert.equal(bench.host.health().lastFault?.code, "bad_catalogue");
	assert.match(String(bench.host.health().lastFault?.detail), /^tools\/list: more than 200000 items$/);
	assert.equal(bench.host.state().ready, true);
});
