// A whole server with a declared replay contract: each order is placed once, whatever dies. Started without arguments it
// checks itself: crashes, replays and upgrades run on it as a server in a process of its own.
import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mcpServer, serveStdio, tool } from "libmcp";
import { runScenarios } from "libmcp/testing";
import * as z from "zod";

const [book] = process.argv.slice(2);
if (book === undefined) await check();
else serve(book);

function serve(file: string): void {
	const readOrders = tool({
		name: "read_orders",
		description: "Lists the orders.",
		annotations: { readOnlyHint: true },
		run: () => orders(file).join(", "),
	});
	const placeOrder = tool({
		name: "place_order",
		description: "Places an order; the same key places it once.",
		input: z.object({ key: z.string() }),
		// The host may repeat it, because a repeat with the same key is dropped, in a file that outlives this process.
		effect: { recovery: { kind: "deduplicated", key: "/key" } },
		run: ({ key }) => {
			place(file, key);
			return orders(file).join(", ");
		},
	});
	serveStdio(mcpServer({ info: { name: "orders", version: "1.0.0" }, tools: [readOrders, placeOrder] }));
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
