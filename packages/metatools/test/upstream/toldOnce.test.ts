import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import type { StdioSpec } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { testGateway } from "../fixtures/gateway.ts";

const program = join(import.meta.dirname, "../fixtures/stdioServer.ts");
const serving: StdioSpec = {
	kind: "stdio",
	name: "demo",
	namespace: "demo",
	protocol: "legacy",
	command: process.execPath,
	args: ["--disable-warning=ExperimentalWarning", program],
	env: {},
};

test("a failure whose text differs only in times, sizes and ids is logged once", { timeout: 60_000 }, async (t) => {
	let attempts = 0;
	let why = "no such table";
	const open = async () => {
		attempts++;
		const chance = `${new Date().toISOString()} ${new Date().toString()} ${randomUUID()} ${randomBytes(8).toString("hex")}`;
		throw new Error(`[${chance}] ERROR after ${Math.random() * 1_000} ms: ${why}`);
	};
	const demo = await testGateway({ openTransport: open });
	t.after(() => demo.stop());
	await until(() => attempts >= 3);
	await delay(50);
	assert.equal(demo.log.filter((line) => line.includes("no such table")).length, 1, demo.log.join("\n"));
	why = "no such column";
	demo.gateway.upstreams.all[0]?.reconnect();
	await until(() => demo.log.some((line) => line.includes("no such column")));
});

test("a server whose process was replaced is ready since the new one is", { timeout: 60_000 }, async (t) => {
	const demo = await testGateway({ openTransport, config: { servers: [serving] } });
	t.after(() => demo.stop());
	const upstream = demo.gateway.upstreams.all[0];
	const host = upstream?.host;
	assert(upstream !== undefined && host !== undefined && upstream.state.kind === "ready");
	const before = upstream.state.since;
	await delay(20);
	process.kill(host.state().workerPid ?? Number.NaN, "SIGKILL");
	await until(() => host.state().generation === 2 && host.state().ready);
	await until(() => upstream.state.since > before);
	assert.equal(upstream.state.kind, "ready");
	const [listed] = demo.gateway.namespaces({ id: "local" });
	assert(listed?.since !== undefined && listed.since > before);
});
