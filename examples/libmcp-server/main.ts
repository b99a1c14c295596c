// A whole server with a declared replay contract: each order is placed once, whatever dies. Started without arguments it
// checks itself: crashes, replays and upgrades run on it as a server in a process of its own.
import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Dispatcher, EFFECT_META_KEY, RpcError, serveStdio } from "libmcp";
import { runScenarios } from "libmcp/testing";

const [book] = process.argv.slice(2);
if (book === undefined) await check();
else serve(book);

function serve(file: string): void {
	const key = { type: "object", properties: { key: { type: "string" } }, required: ["key"] };
	const tools = [
		{
			name: "read_orders",
			description: "Lists the orders.",
			inputSchema: { type: "object" },
			annotations: { readOnlyHint: true },
		},
		{
			name: "place_order",
			description: "Places an order; the same key places it once.",
			inputSchema: key,
			// The host may repeat it, because a repeat with the same key is dropped below.
			_meta: { [EFFECT_META_KEY]: { recovery: { kind: "deduplicated", key: "/key" } } },
		},
	];
	const dispatcher: Dispatcher = async (method, params) => {
		if (method === "tools/list") return { tools };
		if (method !== "tools/call") throw new RpcError(-32601, `no method ${method}`);
		const { name, arguments: args } = Object(params) as { name?: string; arguments?: { key?: string } };
		if (name === "place_order") place(file, String(args?.key));
		else if (name !== "read_orders") throw new RpcError(-32602, `name: expected a tool of this server, got ${name}`);
		return { content: [{ type: "text", text: orders(file).join(", ") }] };
	};
	serveStdio(dispatcher, { description: { info: { name: "orders", version: "1.0.0" }, capabilities: { tools: {} } } });
}

function place(file: string, order: string): void {
	if (!orders(file).includes(order)) appendFileSync(file, `${order}\n`);
}

function orders(file: string): string[] {
	return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

async function check(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "orders-"));
	const file = join(folder, "book");
	try {
		const reports = await runScenarios({
			command: process.execPath,
			args: ["--disable-warning=ExperimentalWarning", fileURLToPath(import.meta.url), file],
			safeCall: { tool: "read_orders" },
			effect: {
				call: (key) => ({ tool: "place_order", arguments: { key } }),
				count: (key) => orders(file).filter((order) => order === key).length,
			},
			kills: 3,
		});
		for (const { scenario, passed, detail } of reports) console.log(passed ? "ok    " : "FAILED", scenario, detail);
		assert.ok(reports.length >= 4 && reports.every(({ passed }) => passed));
		console.log("libmcp-server: ok");
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
