import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { CLAIM, call, modernHeaders, serve } from "./serving.ts";

const POST = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";

type Told = { readonly status: number; readonly headers: string; readonly body: string };

test("what cannot be read as a request is refused with a JSON-RPC error, once, and the connection is closed", async () => {
	const { listener, seen } = await serve();
	const refused: readonly [what: string, sent: string, status: number, code: string][] = [
		["no Host", "GET /mcp HTTP/1.1\r\n\r\n", 400, "BAD_REQUEST"],
		["no HTTP", "hello\r\n\r\n", 400, "BAD_REQUEST"],
		["a chunk without a length", `${POST}transfer-encoding: chunked\r\n\r\nZZ\r\n`, 400, "BAD_REQUEST"],
		["two lengths", `${POST}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 400, "BAD_REQUEST"],
		["long headers", `${POST}x: ${"y".repeat(1_000_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
		["an unknown expectation", `${POST}expect: wonders\r\ncontent-length: 2\r\n\r\n`, 417, "EXPECTATION_FAILED"],
		[
			"long chunk extensions",
			`${POST}transfer-encoding: chunked\r\n\r\n2;${"x".repeat(20_000)}\r\n{}`,
			413,
			"BODY_TOO_LARGE",
		],
	];
	for (const [what, sent, status, code] of refused) {
		const [told, ...more] = await answers(listener.port, sent);
		assert.equal(more.length, 0, what);
		assert.ok(told !== undefined, what);
		assert.equal(told.status, status, what);
		assert.match(told.headers, /\r\nconnection: close\r\n/i, what);
		assert.match(told.headers, /\r\ncontent-type: application\/json\r\n/, what);
		const { jsonrpc, id, error } = JSON.parse(told.body);
		assert.deepEqual([jsonrpc, id, error.code, error.data.code], ["2.0", null, -32600, code], what);
	}
	assert.deepEqual(seen.notifications, []);
});

test("the endpoint answers at its path with a slash behind it too, and at no other", async () => {
	const { listener } = await serve();
	const body = JSON.stringify(call(1, "echo", "hello", { _meta: CLAIM }));
	const statusAt = async (path: string): Promise<number> => {
		const headers = { "content-type": "application/json", ...modernHeaders("tools/call", "echo") };
		return (await fetch(`http://127.0.0.1:${listener.port}${path}`, { method: "POST", headers, body })).status;
	};
	const paths = ["/mcp", "/mcp/", "/mcp/?a=/", "/mcp//", "//mcp", "/mcp/x/", "/"];
	assert.deepEqual(await Promise.all(paths.map(statusAt)), [200, 200, 200, 404, 404, 404, 404]);
});

test("an answer under way comes before the refusal of what was sent after its request", async () => {
	const { listener, endpoint, seen } = await serve();
	const body = JSON.stringify(call(1, "hold", "", { _meta: CLAIM }));
	const headers = Object.entries(modernHeaders("tools/call", "hold")).map(([name, value]) => `${name}: ${value}\r\n`);
	const told = answers(listener.port, `${POST}${headers.join("")}content-length: ${body.length}\r\n\r\n${body}\0\0\0`);
	await until(() => endpoint.inFlight === 1);
	seen.release();
	const [answer, refusal, ...more] = await told;
	assert.equal(more.length, 0);
	assert.match(answer?.body ?? "", /"text":"held"/);
	assert.equal(refusal?.status, 400);
	assert.match(refusal?.body ?? "", /"BAD_REQUEST"/);
});

test("a client that stops in the middle of its request is told so if it still listens", async () => {
	const { listener } = await serve();
	for (const sent of [`${POST}content-length: 100\r\n\r\n{`, "POST /mcp HTTP/1.1\r\nhost: loc"]) {
		const socket = connect(listener.port, "127.0.0.1");
		const said = saidOver(socket);
		socket.end(sent);
		assert.match(await said, /^HTTP\/1\.1 400 [\s\S]*"BAD_REQUEST"/, sent);
	}
});

async function answers(port: number, sent: string): Promise<readonly Told[]> {
	const socket = connect(port, "127.0.0.1");
	socket.write(sent);
	const told: Told[] = [];
	for (let rest = await saidOver(socket); rest !== ""; ) {
		const [, status, headers = ""] = /^HTTP\/1\.1 (\d{3}) ([\s\S]*?\r\n)\r\n/.exec(rest) ?? assert.fail(rest);
		const from = rest.indexOf("\r\n\r\n") + 4;
		const length = Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? assert.fail(rest));
		told.push({ status: Number(status), headers, body: rest.slice(from, from + length) });
		rest = rest.slice(from + length);
	}
	return told;
}

/** All that is said until the connection is closed. */
function saidOver(socket: Socket): Promise<string> {
	return new Promise((resolve) => {
		let said = "";
		socket.on("data", (chunk: Buffer) => {
			said += String(chunk);
		});
		socket.on("error", (error) => {
			said += `\n${error.message}`;
		});
		socket.once("close", () => resolve(said));
	});
}
