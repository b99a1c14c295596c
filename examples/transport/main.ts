// A transport of your own: MCP over a Unix socket, one line per message. It checks itself.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Gateway, gatewayServer, stdioTransport, type Transport } from "metatools";

function socketTransport(path: string): Transport {
	let listening: Server | undefined;
	const sockets = new Set<Socket>();
	const close = async () => {
		for (const socket of sockets) socket.destroy();
		listening?.close();
	};
	return {
		name: "socket",
		info: () => ({ name: "socket", address: path }),
		async serve(server, signal) {
			// Every connection is a conversation of its own, which is exactly what the stdio transport serves on streams.
			const own = createServer((socket) => {
				sockets.add(socket);
				const conversation = stdioTransport({ input: socket, write: (text) => socket.write(text) });
				void conversation.serve(server, signal).finally(() => sockets.delete(socket));
			});
			listening = own;
			signal.addEventListener("abort", () => void close(), { once: true });
			own.listen(path);
			await new Promise((resolve) => own.once("close", resolve));
		},
		close,
	};
}

const folder = mkdtempSync(join(tmpdir(), "metatools-socket-"));
const path = join(folder, "gateway.sock");
const gateway = new Gateway();
const transport = socketTransport(path);
const stop = new AbortController();
const serving = transport.serve(gatewayServer(gateway), stop.signal);

const socket = connect(path);
const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
const ask = async (id: number, method: string, params: object): Promise<{ result: Record<string, unknown> }> => {
	socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
	return JSON.parse(String((await answers.next()).value));
};
const clientInfo = { name: "example", version: "1.0.0" };
const hello = await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
assert.equal((hello.result.serverInfo as { name: string }).name, "metatools");
const ran = await ask(2, "tools/call", { name: "run_tool", arguments: { tool_id: "local:ping" } });
assert.deepEqual((ran.result.structuredContent as { structured: unknown }).structured, { message: "pong" });
socket.destroy();
stop.abort();
await serving;
await gateway.stop();
rmSync(folder, { recursive: true });
console.log("transport: ok");
