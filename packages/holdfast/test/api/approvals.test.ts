import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { quarantineGate } from "metatools";
import { until } from "../../../../e2e/until.ts";
import { startedProduct } from "../console/startedProduct.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-approvals-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Has a tool more for a client that offers sampling, which the gateway does not. */
const CHOOSY = `let samples = false;
	const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
	require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
		const { id, method, params } = JSON.parse(line);
		if (method === "initialize") {
			samples = params.capabilities.sampling !== undefined;
			const serverInfo = { name: "choosy", version: "1" };
			say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
		} else if (method === "tools/list") {
			const names = samples ? ["plain", "think"] : ["plain"];
			say(id, { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) });
		} else if (method === "tools/call") say(id, { content: [{ type: "text", text: "ran " + params.name }] });
		else if (id !== undefined) say(id, {});
	});`;

test("a tool that its server shows to one client only waits with the others, and is that client's once approved", {
	timeout: 90_000,
}, async () => {
	const program = join(folder, "choosy.cjs");
	writeFileSync(program, CHOOSY);
	const started = await startedProduct({
		sections: {
			mcpServers: { choosy: { command: process.execPath, args: [program] } },
			quarantine: { mode: "ask", file: join(folder, "approvals.json") },
		},
	});
	after(() => started.close());
	const approvals = async (): Promise<readonly Waiting[]> => {
		const answer = await (await fetch(`${started.address}/api/approvals`)).text();
		return JSON.parse(answer).waiting;
	};
	const { catalog } = started.product.gateway;
	await until(() => catalog.get("choosy:plain") !== undefined, "the server is connected");
	const client = new Client({ name: "thinker", version: "1.0.0" }, { capabilities: { sampling: {} } });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${started.address}/mcp/choosy`)));
	after(() => client.close());
	assert.deepEqual((await client.listTools()).tools, []);
	const waiting = await approvals();
	assert.deepEqual(
		waiting.map(({ id }) => id),
		["choosy:plain", "choosy:think"],
	);
	const [{ id: plain, fingerprint: itsFingerprint } = assert.fail(), { id, fingerprint } = assert.fail()] = waiting;
	const approve = (tool: string, shown: string): Promise<Response> =>
		fetch(`${started.address}/api/approvals`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ id: tool, fingerprint: shown }),
		});
	assert.deepEqual(await (await approve(id, fingerprint)).json(), { ok: true });
	await until(async () => (await client.listTools()).tools.some(({ name }) => name === "think"), "it is shown");
	assert.match(JSON.stringify((await client.callTool({ name: "think" })).content), /ran think/);
	assert.deepEqual(
		(await approvals()).map((tool) => tool.id),
		["choosy:plain"],
	);
	const file = join(folder, "approvals.json");
	chmodSync(file, 0o400);
	const unstored = await approve(plain, itsFingerprint);
	assert.equal(unstored.status, 503);
	const { error } = JSON.parse(await unstored.text());
	assert.match(error.message, /^choosy:plain is approved until the gateway ends, .*approvals\.json: it is read-only/);
	assert.deepEqual(await approvals(), []);
	chmodSync(file, 0o600);
	await until(() => readFileSync(file, "utf8").includes('"choosy:plain"'), "it is stored once that is possible");
});

test("an approval is in the timeline once, given at the console or by another process", {
	timeout: 90_000,
}, async () => {
	const file = join(folder, "once.cjs");
	writeFileSync(file, CHOOSY.replace('["plain"]', '["here", "elsewhere"]'));
	const quarantine = { mode: "ask", file: join(folder, "once.json") } as const;
	const started = await startedProduct({
		sections: { mcpServers: { choosy: { command: process.execPath, args: [file] } }, quarantine },
	});
	after(() => started.close());
	const { catalog } = started.product.gateway;
	await until(() => catalog.get("choosy:here") !== undefined, "the server is connected");
	const tool = catalog.get("choosy:elsewhere") ?? assert.fail();
	const fingerprint = catalog.get("choosy:here")?.fingerprint;
	await fetch(`${started.address}/api/approvals`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ id: "choosy:here", fingerprint }),
	});
	const other = quarantineGate(quarantine);
	other.approve([tool]);
	other.write();
	const approvals = async (): Promise<readonly string[]> => {
		const answer = await (await fetch(`${started.address}/api/timeline?kinds=quarantine`)).text();
		const entries: readonly { readonly summary: string }[] = JSON.parse(answer).entries;
		return entries.map(({ summary }) => summary).filter((summary) => summary.endsWith("was approved"));
	};
	await until(async () => (await approvals()).length > 1, "both are told");
	assert.deepEqual((await approvals()).toSorted(), ["choosy:elsewhere was approved", "choosy:here was approved"]);
});

type Waiting = { readonly id: string; readonly fingerprint: string };
