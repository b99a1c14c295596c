import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import { call, open } from "./site.ts";

/** A server in another thread, which can close its sockets while this one is too busy to hear of it. */
const SERVER = `
	const { createServer } = require("node:http");
	const { parentPort, workerData } = require("node:worker_threads");
	const sockets = new Set();
	let seen = 0;
	const server = createServer((request, response) => {
		let body = "";
		request.on("data", (chunk) => (body += chunk));
		request.on("end", () => {
			seen++;
			const answer = JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: { seen } });
			response.writeHead(200, { "content-type": "application/json" }).end(answer);
		});
	});
	server.on("connection", (socket) => {
		sockets.add(socket);
		socket.on("close", () => sockets.delete(socket));
	});
	server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
	parentPort.on("message", () => {
		for (const socket of sockets) socket.resetAndDestroy();
		setTimeout(() => {
			Atomics.store(workerData, 0, 1);
			Atomics.notify(workerData, 0);
		}, 100);
	});
`;

test("requests that closed sockets did not take are sent over others, and each is seen once", {
	timeout: 120_000,
}, async () => {
	const done = new Int32Array(new SharedArrayBuffer(4));
	const server = new Worker(SERVER, { eval: true, workerData: done });
	after(() => server.terminate());
	const [port] = await once(server, "message");
	const { transport, heard } = open(new URL(`http://127.0.0.1:${port}/mcp`));
	// Several sockets are kept, and all of them go.
	await Promise.all([1, 2, 3].map((id) => transport.send(call(id))));
	server.postMessage("close them");
	Atomics.wait(done, 0, 0, 30_000);
	await Promise.all([4, 5].map((id) => transport.send(call(id))));
	await transport.send(call(6));
	const seen = heard.map((message) => ("result" in message ? message.result.seen : undefined));
	assert.deepEqual(seen.slice(3).sort(), [4, 5, 6]);
});
