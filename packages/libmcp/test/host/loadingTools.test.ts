import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { Bench, textOf } from "./harness.ts";

test("a call in doubt runs again when the tools are announced before the host asks for them again", async (t) => {
	const bench = new Bench(t, { command: process.execPath, args: ["-e", LOADING] });
	await bench.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test" } });
	bench.notify("notifications/initialized");
	await until(() => bench.host.health().lastFault?.code === "bad_catalogue", "the refusal is noticed");
	assert.equal(textOf(await bench.tool("read")), "read");
	assert.equal(bench.effects("read").length, 2);
});

/** Dies of its first call, and in its second life lists its tools only when it has announced them. */
const LOADING = `
const { appendFileSync, existsSync } = require("node:fs");
const second = existsSync(process.env.EFFECTS);
let loaded = false;
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") {
		send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: "loading", version: "1" } } });
	} else if (method === "notifications/initialized" && second) {
		setTimeout(() => {
			loaded = true;
			send({ method: "notifications/tools/list_changed" });
		}, 300);
	} else if (method === "tools/list") {
		if (!loaded) send({ id, error: { code: -32603, message: "still loading" } });
		else send({ id, result: { tools: [{ name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] } });
	} else if (method === "tools/call") {
		appendFileSync(process.env.EFFECTS, "read \\n");
		if (!second) process.exit(3);
		send({ id, result: { content: [{ type: "text", text: "read" }] } });
	} else if (id !== undefined) send({ id, result: {} });
});`;
