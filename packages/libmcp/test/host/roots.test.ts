// Servers that keep to the folders their client names, such as the filesystem server.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { Bench } from "./harness.ts";

/** Refuses to read until it has the client's roots, which it asks for when its session begins. */
const ROOTED = `
let roots;
let answers = 0;
let list = () => {};
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const tools = [{ name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params, result } = JSON.parse(line);
	if (method === "initialize") say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "rooted", version: "1" } } });
	if (/initialized|roots.list_changed/.test(method)) say({ id: "roots", method: "roots/list" });
	if (method === "tools/list") list = () => say({ id, result: { tools } });
	if (method === "ping") say({ id, result: {} });
	if (id === "roots") {
		roots = result.roots;
		answers++;
	}
	if (answers < (process.env.PATIENCE ?? 0)) return;
	list();
	list = () => {};
	if (method === "tools/call") say({ id, result: { content: [{ type: "text", text: roots ? "read" : "access denied" }], isError: !roots } });
});`;

test("a call that waits for a new worker is not read before the client's roots", async (t) => {
	const bench = await rooted(t);
	for (let round = 0; round < 3; round++) {
		bench.killWorker();
		assert.equal(await read(bench), "read");
	}
});

test("an upgrade serves no call before it knows the client's roots", async (t) => {
	const bench = await rooted(t);
	const answers: Promise<string>[] = [];
	const load = setInterval(() => answers.push(read(bench)), 1);
	assert.equal((await bench.host.rollout()).ok, true);
	answers.push(read(bench));
	clearInterval(load);
	assert.deepEqual(new Set(await Promise.all(answers)), new Set(["read"]));
	assert.deepEqual(
		bench.notifications("roots/list").map(({ id }) => id),
		["holdfast-g1-1", "holdfast-g2-2"],
	);
});

test("an upgrade hears of roots that change while it starts", async (t) => {
	const bench = await rooted(t);
	const asked = () => bench.notifications("roots/list").length;
	const patient = { command: process.execPath, args: ["-e", ROOTED], env: { PATIENCE: "2" } };
	const rolling = bench.host.rollout(patient);
	await until(() => asked() === 2, "the new worker asks");
	bench.notify("notifications/roots/list_changed");
	assert.equal((await rolling).ok, true);
	await until(() => asked() === 4, "the old worker, which has calls to finish, asks too");
});

test("a client that never names its roots is served all the same", async (t) => {
	const bench = await rooted(t, false);
	bench.killWorker();
	assert.equal(await read(bench), "access denied");
});

/** A client that names its roots whenever it is asked, not quite at once, or else never. */
async function rooted(t: TestContext, answers = true): Promise<Bench> {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", ROOTED] });
	let answered = 0;
	bench.output.on("data", () => {
		const asked = bench.notifications("roots/list");
		for (const { id } of asked.slice(answered)) {
			const answer = JSON.stringify({ jsonrpc: "2.0", id, result: { roots: [{ uri: "file:///home" }] } });
			if (answers) setTimeout(() => bench.write(answer), 100);
		}
		answered = asked.length;
	});
	await bench.initialize();
	await until(() => answered === 1, "the server has asked");
	while (answers && (await read(bench)) !== "read");
	return bench;
}

async function read(bench: Bench): Promise<string> {
	return String((await bench.tool("read")).result?.content?.[0]?.text);
}
