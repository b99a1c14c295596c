import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { Bench, faultOf, textOf } from "./harness.ts";

/** The first one closes its input at its first call and lives on; `answers` then says whether it still answers. */
const DEAF = `
const fs = require("node:fs");
const again = fs.existsSync(process.env.EFFECTS);
const send = (message) => fs.writeSync(1, JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	const answer = () => send({ id, result: { content: [{ type: "text", text: again ? "the next" : "the first" }] } });
	if (method === "initialize") return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "deaf", version: "1" } } });
	if (method === "tools/list") return send({ id, result: { tools: [{ name: "pay" }] } });
	if (id === undefined) return;
	if (again) return answer();
	fs.writeFileSync(process.env.EFFECTS, "");
	fs.closeSync(0);
	if (params.arguments.answers === "at once") answer();
	if (params.arguments.answers === "late") setTimeout(answer, 4000);
});
setInterval(() => {}, 1000);`;

const deaf = { command: process.execPath, args: ["-e", DEAF] };

const replaced = (bench: Bench): Promise<void> =>
	until(() => bench.host.state().generation === 2 && bench.host.state().ready, "the next one serves");

test("a server that closes its input while it has nothing to do is replaced before a call is lost with it", async (t) => {
	const bench = await Bench.initialized(t, deaf);
	assert.equal(textOf(await bench.tool("pay", { answers: "at once" })), "the first");
	await replaced(bench);
	assert.equal(bench.host.telemetry().restartFault?.code, "worker_cut_off");
	assert.equal(textOf(await bench.tool("pay")), "the next");
});

test("a server that closes its input may finish what it has begun, while nothing waits for another", async (t) => {
	const bench = await Bench.initialized(t, deaf);
	assert.equal(textOf(await bench.tool("pay", { answers: "late" })), "the first");
	await replaced(bench);
});

test("a call that comes after the input was seen to be closed runs on the next server, and is not in doubt", async (t) => {
	const bench = await Bench.initialized(t, deaf);
	const begun = bench.tool("pay", { answers: "never" });
	await delay(4_000);
	assert.equal(textOf(await bench.tool("pay")), "the next");
	assert.equal(faultOf(await begun).code, "outcome_unknown");
});

test("a server that closes its input is replaced once something can no longer be said to it", async (t) => {
	const bench = await Bench.initialized(t, deaf);
	const begun = bench.tool("pay", { answers: "never" });
	await delay(4_000);
	bench.notify("notifications/roots/list_changed");
	assert.equal(faultOf(await begun).code, "outcome_unknown");
	await replaced(bench);
});
