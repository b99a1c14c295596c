import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { metatools } from "./command.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-stdio-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A server that talks beside the protocol on both its outputs, and has a tool whose answer tries to break lines. */
const NOISY = `
	console.log("starting up…");
	process.stdout.write("not json\\n\\n{\\"half\\":\\n");
	console.error("on stderr");
	const TOOL = { name: "say", description: "line\\u2028break", inputSchema: { type: "object" } };
	require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
		const { id, method } = JSON.parse(line);
		if (id === undefined) return;
		console.log("debug: " + method);
		const result = method === "initialize"
			? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "noisy", version: "1" } }
			: method === "tools/list" ? { tools: [TOOL] }
			: { content: [{ type: "text", text: "a\\nb\\r\\nc\\u2028d 日本 \\ud83d\\ude00" }] };
		console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
	});
`;
const MODERN = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientCapabilities": { elicitation: {}, sampling: {}, roots: {} },
};

verifies(
	["mcp-stdio-only-messages", "mcp-stdio-no-requests"],
	"standard output is one message a line in UTF-8, whatever the servers print, and holds no request to a modern client",
	async () => {
		const config = join(folder, "noisy.json");
		const noisy = { command: process.execPath, args: ["-e", NOISY], elicitation: true };
		writeFileSync(config, JSON.stringify({ mcpServers: { noisy } }));
		const { child, stderr, exited } = metatools(["serve", "-c", config]);
		const chunks: Buffer[] = [];
		child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
		const written = (): string => new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
		const messages = (): Record<string, unknown>[] =>
			written()
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => JSON.parse(line) as Record<string, unknown>);
		let id = 0;
		const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
			const mine = ++id;
			child.stdin?.write(
				`${JSON.stringify({ jsonrpc: "2.0", id: mine, method, params: { ...params, _meta: MODERN } })}\n`,
			);
			const deadline = performance.now() + 20_000;
			for (;;) {
				const found = messages().find((message) => message.id === mine);
				if (found !== undefined) return found;
				assert.ok(performance.now() < deadline, `${method}: ${stderr()}`);
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
		};
		await ask("server/discover", {});
		let said = "";
		for (let attempt = 0; attempt < 100 && !said.includes("日本"); attempt++) {
			const args = { tool_id: "noisy:say", args: {} };
			said = JSON.stringify(await ask("tools/call", { name: "run_tool", arguments: args }));
		}
		assert.match(said, /日本 😀/);
		await ask("nonsense/method", {});
		child.stdin?.end();
		assert.equal(await exited, 0, "it ends with its input");
		assert.ok(written().endsWith("\n"));
		for (const message of messages()) {
			assert.equal(message.jsonrpc, "2.0");
			assert.ok(!("method" in message && "id" in message), `a request: ${JSON.stringify(message)}`);
		}
	},
	{ timeout: 120_000 },
);
