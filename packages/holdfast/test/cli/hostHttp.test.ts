import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { conformance, failures } from "../../../libmcp/test/http/conformance.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const SERVER = fileURLToPath(new URL("../../../libmcp/test/fixtures/everythingStdio.ts", import.meta.url));

test("an address in use is refused with one that is free", async (t) => {
	const other = createServer().listen(0, "127.0.0.1");
	t.after(() => other.close());
	await once(other, "listening");
	const { port } = other.address() as AddressInfo;
	const command = ["host", "--http", `127.0.0.1:${port}`, "--", process.execPath, SERVER];
	const { status, stderr } = await ended(spawn(process.execPath, [BIN, ...command], { stdio: "pipe" }));
	assert.equal(status, 2);
	assert.match(stderr, new RegExp(`--http: expected a free port, got 127.0.0.1:${port}, which is in use`));
	assert.match(stderr, /--http 127\.0\.0\.1:\d+ would work/);
});

async function ended(child: ChildProcessWithoutNullStreams): Promise<{ status: number | null; stderr: string }> {
	const [stderr] = await Promise.all([text(child.stderr), once(child, "exit")]);
	return { status: child.exitCode, stderr };
}

test("a hosted server on an address passes the conformance suite, serves older clients, and leaves nothing behind", {
	timeout: 300_000,
}, async () => {
	const command = [
		"host",
		"--http",
		"127.0.0.1:0",
		"--",
		process.execPath,
		"--disable-warning=ExperimentalWarning",
		SERVER,
	];
	const host = spawn(process.execPath, [BIN, ...command], { stdio: ["ignore", "ignore", "pipe"] });
	const exited = new Promise((resolve) => host.once("exit", resolve));
	try {
		const url = await new Promise<string>((resolve, reject) => {
			let said = "";
			host.stderr.on("data", (chunk: Buffer) => {
				said += chunk.toString();
				const found = /serving MCP at (\S+)/.exec(said)?.[1];
				if (found !== undefined) resolve(found);
			});
			void exited.then(() => reject(new Error(said)));
		});
		const run = await conformance(url, "2026-07-28");
		assert.equal(run.exitCode, 0, run.output.slice(-4_000));
		assert.deepEqual(failures(run), []);
		const client = new Client({ name: "older", version: "1.0.0" });
		await client.connect(new StreamableHTTPClientTransport(new URL(url)));
		assert.deepEqual((await client.callTool({ name: "echo", arguments: { text: "hi" } })).content, [
			{ type: "text", text: "hi" },
		]);
		if (process.platform !== "win32") {
			const told = new Promise((resolve) => host.stderr.once("data", resolve));
			host.kill("SIGUSR2");
			assert.match(String(await told), /SIGUSR2: with --http only a restart/);
			assert.ok(await client.ping());
		}
		await client.close();
	} finally {
		host.kill("SIGTERM");
	}
	assert.equal(await exited, 0);
});
