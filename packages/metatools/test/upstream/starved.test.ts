// A gateway that was stopped, or got no processor, finds its timers due before it has read what came meanwhile.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { until } from "../../../../e2e/until.ts";
import { createPatientSignal, runPatiently, startPatience } from "../../src/run/patience.ts";
import { type Message, ScriptedPeer } from "../fixtures/scriptedPeer.ts";

const BIN = join(import.meta.dirname, "../../bin/metatools.js");
const folder = mkdtempSync(join(tmpdir(), "metatools-starved-"));
const journal = join(folder, "journal");
const client = new Client({ name: "starved", version: "1.0.0" });
let pid = 0;

/** The scripted server over Streamable HTTP, each answer a body of its own. */
const web = createServer(async (request, response) => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk);
	if (request.method !== "POST") return void response.writeHead(405).end();
	const message: Message = JSON.parse(Buffer.concat(chunks).toString());
	if (message.id === undefined) return void response.writeHead(202).end();
	const answer = (text: Message) =>
		response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(text));
	new ScriptedPeer(answer, undefined, journal).receive(message);
});

before(async () => {
	writeFileSync(journal, "");
	await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
	const address = web.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	const server = join(import.meta.dirname, "../fixtures/stdioServer.ts");
	const config = join(folder, "metatools.json");
	writeFileSync(
		config,
		JSON.stringify({
			mcpServers: {
				pipe: { command: process.execPath, args: ["--disable-warning=ExperimentalWarning", server, journal] },
				web: { url: `http://127.0.0.1:${port}/mcp` },
			},
			skills: { late: { steps: [{ tool_id: "pipe:slow", inputs: { ms: 300 } }] } },
			quarantine: { file: join(folder, "approvals.json") },
		}),
	);
	const env = { PATH: process.env.PATH ?? "", HOME: folder, METATOOLS_SKILL_DEFAULTS_TIMEOUT: "1s" };
	const transport = new StdioClientTransport({
		...{ command: process.execPath, args: [BIN, "serve", "--config", config], stderr: "ignore", env },
	});
	await client.connect(transport);
	pid = transport.pid ?? 0;
	await until(async () => {
		const { structuredContent } = await client.callTool({ name: "list_tools", arguments: { limit: 100 } });
		const listed = JSON.stringify(structuredContent);
		return listed.includes("pipe:slow") && listed.includes("web:slow");
	});
});
after(async () => {
	await client.close();
	web.closeAllConnections();
	web.close();
	rmSync(folder, { recursive: true, force: true });
});

const slow = (tool_id: string) => ({ tool_id, args: { ms: 300 }, timeout_ms: 1_000 });
const code = { language: "javascript", code: "await tools.pipe.slow({ ms: 300 })", timeout_ms: 4_000 };
for (const [what, name, args, deadlineMs] of [
	["over a pipe", "run_tool", slow("pipe:slow"), 1_000],
	["over HTTP", "run_tool", slow("web:slow"), 1_000],
	["in a skill", "run_skill", { skill_id: "late" }, 1_000],
	["in code", "execute_code", code, 4_000],
] as const) {
	test(`an answer that came in time is given, though the gateway slept past the deadline: ${what}`, async () => {
		// The sandbox takes its time to come up.
		if (name === "execute_code") await client.callTool({ name, arguments: { language: "javascript", code: "1" } });
		const calls = () =>
			readFileSync(journal, "utf8")
				.split("\n")
				.filter((line) => line === "slow").length;
		const before = calls();
		const called = client.callTool({ name, arguments: args });
		await until(() => calls() > before);
		process.kill(pid, "SIGSTOP");
		// Past the SDK's own limit too, were it a second after ours.
		await delay(deadlineMs + 1_500);
		process.kill(pid, "SIGCONT");
		const result = await called;
		assert.notEqual(result.isError, true, JSON.stringify(result.structuredContent));
		assert.match(JSON.stringify(result.structuredContent), /late/);
	});
}

test("a server that does not answer is not waited for, and a patience that ended says nothing", async () => {
	startPatience(10, () => assert.fail("it had ended")).end();
	const signal = createPatientSignal(20);
	await once(signal, "abort");
	assert.equal(signal.reason.name, "TimeoutError");
	const result = await client.callTool({
		...{ name: "run_tool", arguments: { tool_id: "web:slow", args: { ms: 60_000 }, timeout_ms: 200 } },
	});
	assert.match(JSON.stringify(result.structuredContent), /"code":"timeout"/);
});

test("work is aborted when its time is over, and nothing is when it was done before", async () => {
	const { signal } = new AbortController();
	const over = runPatiently(
		20,
		signal,
		(either) => new Promise((_, reject) => either.addEventListener("abort", reject)),
	);
	await assert.rejects(over);
	const early = await runPatiently(20, signal, async (either) => either);
	await delay(100);
	assert.equal(early.aborted, false);
});
