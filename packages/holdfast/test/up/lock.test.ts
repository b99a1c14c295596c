// What the configuration says of callers holds for `holdfast up` as for the gateway alone, and the console is the owner's.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { until } from "../../../../e2e/until.ts";
import { type StartedProduct, startedProduct } from "../console/startedProduct.ts";

const TOKEN = "the-owners-own-token";
const KEYS = { alice: "alice-has-a-long-key", owner: "a-key-of-this-name-too" };

let locked: StartedProduct;
let keysOnly: StartedProduct;
before(async () => {
	const sections = {
		auth: { keys: KEYS, allowed_origins: ["https://app.example"] },
		policy: { alice: { allow: ["hostile:greet"] }, owner: { allow: ["hostile:greet"] }, local: {} },
	};
	[locked, keysOnly] = await Promise.all([startedProduct({ token: TOKEN, sections }), startedProduct({ sections })]);
	for (const { product } of [locked, keysOnly])
		await until(() => product.gateway.catalog.get("hostile:greet") !== undefined, "its tools are there");
});
after(() => Promise.all([locked?.close(), keysOnly?.close()]));

test("without a token or a key nothing but the page and its health is to be had", async () => {
	for (const { address, product } of [locked, keysOnly]) {
		assert.equal(product.locked, true);
		for (const path of ["/api/servers", "/mcp", "/mcp/hostile", "/metrics"]) {
			assert.equal((await fetch(`${address}${path}`)).status, 401, path);
			assert.equal(await status(address, path, "no-such-key-anywhere"), 401, path);
		}
		assert.equal((await fetch(`${address}/`)).status, 200);
		assert.equal((await fetch(`${address}/healthz`)).status, 200);
	}
});

test("a key opens the tools that its rules allow, and neither the API nor the console's data", async () => {
	for (const { address } of [locked, keysOnly]) {
		for (const key of Object.values(KEYS)) {
			for (const path of ["/api/servers", "/api/events", "/api/openapi.json"])
				assert.equal(await status(address, path, key), 403, path);
			assert.equal(await outcome(address, key, "hostile:greet"), "ok");
			assert.equal(await outcome(address, key, "hostile:fail"), "tool_not_found");
		}
	}
});

test("refusals by the API are in its envelope, and say if there is no token that would open it", async () => {
	const refusal = async (address: string, headers: Record<string, string>): Promise<unknown> =>
		(await fetch(`${address}/api/servers`, { headers })).json();
	const key = { authorization: `Bearer ${KEYS.alice}` };
	const [unauthorized, forbidden] = ["unauthorized", "forbidden"];
	assert.deepEqual(await refusal(locked.address, {}), {
		error: { code: unauthorized, message: "authorization: expected a bearer token" },
	});
	assert.deepEqual(await refusal(locked.address, key), {
		error: { code: forbidden, message: "this is for whoever holds the token of holdfast up" },
	});
	const message = "the console and its API need --token, which holdfast up was started without";
	assert.deepEqual(await refusal(keysOnly.address, {}), { error: { code: unauthorized, message, reason: "no_owner" } });
	assert.deepEqual(await refusal(keysOnly.address, key), { error: { code: forbidden, message } });
	assert.deepEqual([locked.product.ownerless, keysOnly.product.ownerless], [false, true]);
});

test("the owner's token opens everything that the rules leave to this machine", async () => {
	assert.equal(await status(locked.address, "/api/servers", TOKEN), 200);
	assert.equal(await outcome(locked.address, TOKEN, "hostile:fail"), "execution_failed");
	assert.equal(await status(keysOnly.address, "/api/servers", TOKEN), 401);
});

test("a key of any name is somebody else than the owner, whose sessions it cannot use", async () => {
	const transport = new StreamableHTTPClientTransport(new URL(`${locked.address}/mcp/hostile`), {
		requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
	});
	const client = new Client({ name: "caller", version: "1.0.0" });
	await client.connect(transport);
	const answered = async (token: string): Promise<number> => {
		const response = await fetch(`${locked.address}/mcp/hostile`, {
			method: "POST",
			headers: {
				authorization: `Bearer ${token}`,
				accept: "application/json, text/event-stream",
				"content-type": "application/json",
				"mcp-session-id": transport.sessionId ?? "",
			},
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
		});
		await response.body?.cancel();
		return response.status;
	};
	assert.deepEqual([await answered(TOKEN), await answered(KEYS.owner)], [200, 404]);
	await client.close();
});

test("origins of the configuration are let in", async () => {
	const headers = { authorization: `Bearer ${TOKEN}`, origin: "https://app.example" };
	assert.equal((await fetch(`${locked.address}/api/servers`, { headers })).status, 200);
	const strange = { ...headers, origin: "https://other.example" };
	assert.equal((await fetch(`${locked.address}/api/servers`, { headers: strange })).status, 403);
});

async function status(address: string, path: string, token: string): Promise<number> {
	const response = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } });
	await response.body?.cancel();
	return response.status;
}

async function outcome(address: string, token: string, tool: string): Promise<string> {
	const client = new Client({ name: "caller", version: "1.0.0" });
	const requestInit = { headers: { authorization: `Bearer ${token}` } };
	await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit }));
	try {
		const args = tool === "hostile:greet" ? { name: "Ada" } : {};
		const result = await client.callTool({ name: "run_tool", arguments: { tool_id: tool, args, render: "json" } });
		const text = JSON.stringify(result);
		return result.isError === true ? (/"code":"(\w+)"/.exec(text)?.[1] ?? text) : "ok";
	} finally {
		await client.close();
	}
}
