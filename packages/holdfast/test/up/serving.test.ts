import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { startedProduct } from "../console/startedProduct.ts";

test("the settings of the transport hold at /mcp and at each server's own path", async (t) => {
	const started = await startedProduct({
		sections: { transport: { streamable: { stateless: true, json_response: true } } },
	});
	t.after(() => started.close());
	const { catalog } = started.product.gateway;
	await until(() => catalog.get("hostile:slow") !== undefined, "its tools are there");
	for (const path of ["/mcp", "/mcp/hostile"]) {
		const answer = await initialize(started.address, path);
		assert.equal(answer.status, 200, path);
		assert.equal(answer.headers.get("mcp-session-id"), null, path);
		assert.match(answer.headers.get("content-type") ?? "", /^application\/json/, path);
	}
});

test("the metrics count the open sessions of all paths", async (t) => {
	const started = await startedProduct();
	t.after(() => started.close());
	const { catalog } = started.product.gateway;
	await until(() => catalog.get("hostile:slow") !== undefined, "its tools are there");
	for (const path of ["/mcp", "/mcp/hostile"])
		assert.equal((await initialize(started.address, path)).status, 200, path);
	const metrics = await (await fetch(`${started.address}/metrics`)).text();
	assert.match(metrics, /^metatools_http_sessions 2$/m);
});

async function initialize(address: string, path: string): Promise<Response> {
	const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
	const answer = await fetch(`${address}${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
	});
	await answer.text();
	return answer;
}
