import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { createQuarantine } from "../../src/quarantine/quarantine.ts";
import { LOCAL_VIEWER } from "../../src/run/access.ts";
import { testGateway, texts } from "../fixtures/gateway.ts";

const TOOLS = [
	{ name: "buy", description: "Buys.", inputSchema: { type: "object" } },
	{ name: "look", description: "Looks.", inputSchema: { type: "object" } },
];

test("a server whose tools wait for approval says so in list_namespaces and once in the log", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "metatools-waiting-"));
	const quarantine = createQuarantine({ mode: "ask", file: join(folder, "approvals.json") });
	const shop = await testGateway({ servers: ["shop"], tools: TOOLS, quarantine, wait: false });
	t.after(async () => {
		await shop.stop();
		rmSync(folder, { recursive: true, force: true });
	});
	const { gateway, log } = shop;
	gateway.waiting.logNews(gateway.log);
	await until(() => gateway.catalog.get("shop:look") !== undefined);
	const note = "2 of 2 tools wait for approval: metatools approve";
	assert.ok(texts(await shop.call("list_namespaces")).includes(note));
	gateway.quarantine?.approve(gateway.catalog.toolsOf("shop").slice(0, 1));
	assert.ok(texts(await shop.call("list_namespaces")).includes("1 of 2 tools waits for approval"));
	gateway.upstreams.all[0]?.reconnect();
	gateway.quarantine?.approve(gateway.catalog.toolsOf("shop"));
	assert.doesNotMatch(texts(await shop.call("list_namespaces")), /approval/);
	assert.deepEqual(
		log.filter((line) => line.includes("approval")),
		[`shop: ${note}`],
	);
});

test("a server whose tools wait because the approvals are damaged says which file to restore or delete", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "metatools-waiting-"));
	const file = join(folder, "approvals.json");
	writeFileSync(file, "null");
	const quarantine = createQuarantine({ mode: "auto", file });
	const shop = await testGateway({ servers: ["shop"], tools: TOOLS, quarantine });
	t.after(async () => {
		await shop.stop();
		rmSync(folder, { recursive: true, force: true });
	});
	const note = `2 of 2 tools wait for approval: restore or delete a file that cannot be read, ${file}: it is damaged`;
	assert.ok(texts(await shop.call("list_namespaces")).includes(note));
});

test("of a server with many problems, that its tools wait is told first", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "metatools-waiting-"));
	const quarantine = createQuarantine({ mode: "ask", file: join(folder, "approvals.json") });
	const tools = Array.from({ length: 25 }, (_, n) => ({ name: `odd name ${n}`, inputSchema: { type: "object" } }));
	const shop = await testGateway({ servers: ["shop"], tools, quarantine });
	t.after(async () => {
		await shop.stop();
		rmSync(folder, { recursive: true, force: true });
	});
	const [{ problems = [] } = {}] = shop.gateway.namespaces(LOCAL_VIEWER);
	assert.equal(problems[0], "25 of 25 tools wait for approval: metatools approve");
	assert.equal(problems.length, 20);
});
