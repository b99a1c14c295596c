import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { Bench, textOf } from "./harness.ts";

/** Ids as JSON text that a server which parses and writes them again spells in another way. */
const ODD_IDS = [
	...['"\\u0061b"', "1.0", "1e2", "9007199254740993", '"caf\\u00e9"', "-0", '"a\\/b"'],
	...["1e400", "0.5", "123456789012345678901234567890", '"\\ud800"', '""', `"${"x".repeat(1_000)}"`],
];

test("an id comes back as the client spelt it, however the server would spell it", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	for (const id of ODD_IDS) {
		bench.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"read","arguments":{}}}`);
		await until(() => bench.raw.some((line) => line.includes(`"id":${id},`)), `the answer to ${id} is there`);
	}
});

test("an answer is known by its id in any spelling of it", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", ESCAPING_SERVER], opsTools: false });
	assert.equal(textOf(await bench.request("plain", {}, "a/b")), "escaped");
	assert.equal(textOf(await bench.request("plain", {}, 7)), "escaped");
});

/** Writes as some languages do: slashes escaped, whole numbers with a fraction. */
const ESCAPING_SERVER = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id } = JSON.parse(line);
	if (id === undefined) return;
	const text = JSON.stringify(id).replaceAll("/", "\\\\/") + (typeof id === "number" ? ".0" : "");
	process.stdout.write('{"jsonrpc":"2.0","id":' + text + ',"result":{"content":[{"type":"text","text":"escaped"}]}}\\n');
});`;

test("a server that answers under the id's text, or under its number, answers the call", async (t) => {
	const command = { command: process.execPath, args: ["-e", RETYPING_SERVER] };
	const bench = new Bench(t, { ...command, opsTools: false, deadlines: { hardMs: 20_000 } });
	const both = await Promise.all([bench.request("plain", {}, 7), bench.request("plain", {}, "8")]);
	assert.deepEqual(both.map(textOf), ["retyped", "retyped"]);
});

/** Writes numbers as strings, and the reverse. */
const RETYPING_SERVER = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id } = JSON.parse(line);
	const other = typeof id === "number" ? String(id) : Number(id);
	if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id: other, result: { content: [{ type: "text", text: "retyped" }] } }));
});`;

test("two calls whose ids differ in their type alone each get their own answer", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const number = bench.request("tools/call", { name: "read", arguments: { do: "big", n: 1 } }, 70);
	const string = bench.request("tools/call", { name: "read", arguments: { do: "big", n: 2 } }, "70");
	assert.deepEqual([textOf(await number).length, textOf(await string).length], [1, 2]);
});

test("an answer that the host adds to keeps its form under an odd id, wherever the server writes the id", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", RESULT_FIRST_SERVER] });
	bench.write('{"jsonrpc":"2.0","id":1.0,"method":"tools/list"}');
	await until(() => bench.raw.length === 1, "the list is there");
	assert.match(bench.raw[0] ?? "", /^\{"result":\{"tools":\[.*"holdfast_telemetry".*\]\},"jsonrpc":"2.0","id":1\.0\}$/);
});

/** Writes as the SDK does. */
const RESULT_FIRST_SERVER = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id } = JSON.parse(line);
	if (id !== undefined) console.log(JSON.stringify({ result: { tools: [] }, jsonrpc: "2.0", id }));
});`;

test("progress reaches the client under its own spelling of the token", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	for (const token of ['"caf\\u00e9"', "1.0", "9007199254740993"]) {
		bench.write(
			`{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"read","arguments":{"do":"progress","n":1},"_meta":{"progressToken":${token}}}}`,
		);
		await until(() => bench.answers("p").length === 1, "the call is answered");
		bench.received.length = 0;
		assert.ok(
			bench.raw.some((line) => line.includes(`"progressToken":${token},`)),
			`${bench.raw.at(-2)}`,
		);
	}
});

test("a progress token used again is not mistaken for the cancelled call that had it", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const call = (id: number, orders: Record<string, unknown>) =>
		bench.request("tools/call", { name: "read", arguments: orders, _meta: { progressToken: "t" } }, id);
	const progress = () => bench.notifications("notifications/progress").map(({ params }) => params);
	void call(101, { do: "progress", n: 100, ms: 20 });
	await until(() => progress().length >= 2, "the first call reports");
	bench.notify("notifications/cancelled", { requestId: 101 });
	await bench.request("ping");
	const before = progress().length;
	await call(102, { do: "progress", n: 3, ms: 100 });
	assert.deepEqual(
		progress().slice(before),
		[1, 2, 3].map((value) => ({ progressToken: "t", progress: value })),
	);
});

test("progress passes as the server reports it, rising or not", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", STEADY_SERVER], opsTools: false });
	await bench.request("plain", { _meta: { progressToken: 5 } });
	assert.deepEqual(
		bench.notifications("notifications/progress").map(({ params }) => [params?.progress, params?.message]),
		[
			[50, "reading"],
			[50, "parsing"],
			[0, "writing"],
			["most", "closing"],
		],
	);
});

/** Names its steps, and has no idea how many there are. */
const STEADY_SERVER = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method } = JSON.parse(line);
	if (method !== "plain") return;
	for (const [progress, message] of [[50, "reading"], [50, "parsing"], [0, "writing"], ["most", "closing"]])
		send({ method: "notifications/progress", params: { progressToken: 5, progress, message } });
	send({ id, result: {} });
});`;

test("the progress of a task passes after the call that began it was answered", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", TASK_SERVER], opsTools: false });
	await bench.request("tools/call", { name: "plain", arguments: {}, _meta: { progressToken: "p" } });
	await bench.request("tools/call", { name: "research", arguments: {}, task: {}, _meta: { progressToken: "t" } });
	await bench.request("tasks/result", { taskId: "one" });
	assert.deepEqual(
		bench.notifications("notifications/progress").map(({ params }) => params),
		[1, 2].map((progress) => ({ progressToken: "t", progress })),
	);
});

/** Reports only after its answers, as it may if the answer is a task. */
const TASK_SERVER = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
let token;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	if (method === "tasks/result")
		for (const progress of [1, 2]) send({ method: "notifications/progress", params: { progressToken: token, progress } });
	send({ id, result: params?.task === undefined ? { content: [] } : { task: { taskId: "one", status: "working" } } });
	if (method !== "tools/call") return;
	token = params._meta.progressToken;
	if (params.task === undefined) send({ method: "notifications/progress", params: { progressToken: token, progress: 9 } });
});`;

test("progress that names a subscription too reaches its call, whatever the subscription is called here and there", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", SUBSCRIBED_SERVER], opsTools: false });
	bench.write('{"jsonrpc":"2.0","id":1.0,"method":"subscriptions/listen","params":{}}');
	await bench.request("plain", { _meta: { progressToken: "t" } }, "p");
	assert.equal(bench.notifications("notifications/progress").length, 1);
});

/** Stamps all it says with the subscription it has. */
const SUBSCRIBED_SERVER = `
let subscription;
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method } = JSON.parse(line);
	if (method === "subscriptions/listen") subscription = id;
	if (method !== "plain") return;
	const _meta = { "io.modelcontextprotocol/subscriptionId": subscription };
	send({ method: "notifications/progress", params: { _meta, progressToken: "t", progress: 1 } });
	send({ id, result: {} });
});`;

test("two spellings of one string are one id", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const first = bench.request("tools/call", { name: "read", arguments: { ms: 300 } }, "ab");
	bench.write('{"jsonrpc":"2.0","id":"a\\u0062","method":"tools/call","params":{"name":"pay","arguments":{}}}');
	await first;
	assert.equal(bench.answers(null)[0]?.error?.data?.id, "ab");
	assert.deepEqual(bench.effects("pay"), []);
});

test("a refusal names the call that is in flight as the client spelt it", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const line =
		'{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"read","arguments":{"ms":300}}}';
	bench.write(line);
	bench.write(line);
	await until(() => bench.answers(null).length === 1, "the second is refused");
	assert.ok(
		bench.raw.some((text) => text.includes('"data":{"id":9007199254740993,')),
		bench.raw.at(-1),
	);
});

test("an answer of the client's that is malformed is refused under no id: there is nothing of its own to end", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	bench.write('{"jsonrpc":"2.0","id":77,"error":{"code":"x"}}');
	await until(() => bench.answers(null).length === 1, "it is refused");
	assert.equal(bench.answers(77).length, 0);
});

test("a call in flight is ended by its own answer only, whatever else comes under its id", async (t) => {
	const bench = new Bench(t, { maxFrameBytes: 100_000 });
	await bench.initialize();
	const call = bench.request("tools/call", { name: "read", arguments: { ms: 500 } }, "fly");
	bench.write('{"jsonrpc":"2.0","id":"fly","method":"ping"}');
	bench.write('{"jsonrpc":"1.0","id":"fly","method":"tools/list"}');
	bench.write('{"jsonrpc":"2.0","id":"fly","method":7}');
	bench.write(`{"jsonrpc":"2.0","id":"fly","method":"tools/list","params":{"x":"${"x".repeat(100_000)}"}}`);
	assert.match(textOf(await call), /^\d+$/);
	assert.equal(bench.answers("fly").length, 1);
	assert.deepEqual(
		bench.answers(null).map((one) => one.error?.data?.id),
		["fly", "fly", "fly", "fly"],
	);
});
