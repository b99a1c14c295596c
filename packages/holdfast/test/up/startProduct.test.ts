import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { leftovers, sessionMark } from "libmcp/testing";
import { loadConfig } from "metatools";
import { ClosingSteps, startProduct } from "../../src/up/startProduct.ts";

const SERVER = fileURLToPath(new URL("../console/hostileServer.ts", import.meta.url));

test("a start that fails late closes the address and ends the servers it has started", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-start-"));
	t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	const mark = sessionMark();
	const args = ["--disable-warning=ExperimentalWarning", SERVER, join(folder, "changed")];
	const configFile = join(folder, "config.json");
	writeFileSync(
		configFile,
		JSON.stringify({ mcpServers: { hostile: { command: process.execPath, args, env: mark.env } } }),
	);
	const port = await freePort();
	let readings = 0;
	const start = startProduct({
		configure: () => {
			if (++readings > 1) throw new Error("the file is gone");
			return loadConfig({ flags: { port: String(port) }, configFile, environment: {} });
		},
		log: (line) => {
			throw new Error(`cannot log: ${line}`);
		},
	});
	await assert.rejects(start, /cannot log: the changed configuration is not used: the file is gone/);
	await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`));
	assert.deepEqual(await leftovers(mark, 30_000), []);
});

test("every step of closing runs once, newest first, whichever fails", async () => {
	const ran: string[] = [];
	const closing = new ClosingSteps();
	const step = (name: string, failure?: string): void =>
		closing.add(async () => {
			ran.push(name);
			if (failure !== undefined) throw new Error(failure);
		});
	step("first");
	step("second", "second failed");
	step("third", "third failed");
	step("fourth");
	await assert.rejects(closing.run(), { name: "AggregateError", message: "Error: third failed; Error: second failed" });
	await assert.rejects(closing.run());
	assert.deepEqual(ran, ["fourth", "third", "second", "first"]);
});

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	return typeof address === "object" && address !== null ? address.port : 0;
}
