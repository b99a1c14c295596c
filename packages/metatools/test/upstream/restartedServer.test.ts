import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { testGateway } from "../fixtures/gateway.ts";

const program = join(
	dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json")),
	"dist/index.js",
);

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	return port;
}

async function serving(port: number): Promise<ChildProcess> {
	const env = { ...process.env, PORT: String(port) };
	const server = spawn(process.execPath, [program, "streamableHttp"], { env, stdio: "ignore" });
	await until(async () => {
		try {
			return (await fetch(`http://127.0.0.1:${port}/mcp`)).status === 400;
		} catch {
			return false;
		}
	});
	return server;
}

async function end(server: ChildProcess): Promise<void> {
	server.kill("SIGKILL");
	await once(server, "exit");
}

test("the reference server over HTTP is used again after it restarted", { timeout: 120_000 }, async (t) => {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}/mcp`;
	const first = await serving(port);
	const spec = { kind: "http", name: "remote", namespace: "remote", protocol: "auto", url, headers: {} } as const;
	const demo = await testGateway({ openTransport, config: { servers: [spec] } });
	t.after(() => demo.stop());
	const sum = async () => (await demo.data("run_tool", { tool_id: "remote:get-sum", args: { a: 1, b: 2 } })).structured;
	assert.equal(await sum(), "The sum of 1 and 2 is 3.");
	await end(first);
	const second = await serving(port);
	t.after(() => end(second));
	assert.equal(await sum(), "The sum of 1 and 2 is 3.");
});
