// Ids beyond 2^53 on every way through the gateway; the server is a real one that echoes what reached it.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { createWasmEngine } from "../../src/code/wasm/wasmEngine.ts";
import { createGatewayServer } from "../../src/server/serving/gatewayServer.ts";
import { servePassthrough } from "../../src/transport/servePassthrough.ts";
import { createStreamableTransport } from "../../src/transport/streamable.ts";
import type { ReachableSpec } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { testGateway } from "../fixtures/gateway.ts";

const BIG = "9007199254740993";
const SCHEMA = '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807}}}';
const ECHO = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method } = JSON.parse(line);
	const answer = (result) => process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":' + result + '}\\n');
	const info = '"capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}';
	if (method === "initialize") answer('{"protocolVersion":"2025-11-25",' + info + '}');
	if (method === "tools/list") answer('{"tools":[{"name":"echo","inputSchema":${SCHEMA}}]}');
	if (method === "tools/call") {
		const got = /"arguments":(\\{[^}]*\\})/.exec(line)[1];
		answer('{"content":[],"structuredContent":{"got":' + got + ',"made":${BIG}}}');
	}
});`;
const SPEC: ReachableSpec = {
	kind: "stdio",
	name: "echo",
	namespace: "echo",
	protocol: "legacy",
	command: process.execPath,
	args: ["-e", ECHO],
	env: {},
};
const HERE = { host: "127.0.0.1", port: 0 } as const;

/** Opens a session and returns how to send a request with these params, all as text; the answer's text comes back. */
async function session(url: string): Promise<(method: string, params: string) => Promise<string>> {
	const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
	const post = async (method: string, params: string): Promise<Response> =>
		fetch(url, { method: "POST", headers, body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}` });
	const hello = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"witness","version":"1"}}';
	headers["mcp-session-id"] = (await post("initialize", hello)).headers.get("mcp-session-id") ?? "";
	return async (method, params) => (await post(method, params)).text();
}

async function served(t: TestContext, spec: ReachableSpec): Promise<string> {
	const { address, close } = await servePassthrough({ spec }, HERE);
	t.after(close);
	return address;
}

test("a server at a path of its own gets and gives every digit, also behind another gateway", async (t) => {
	const near = await served(t, SPEC);
	const { command: _, args: __, env: ___, ...common } = SPEC as Extract<ReachableSpec, { kind: "stdio" }>;
	const far = await served(t, { ...common, kind: "http", url: near, headers: {} });
	for (const url of [near, far]) {
		const ask = await session(url);
		assert.match(await ask("tools/list", "{}"), /"maximum":9223372036854775807/);
		assert.equal(
			await ask("tools/call", `{"name":"echo","arguments":{"id":${BIG},"v":1e400,"n":1.5}}`),
			`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"got":{"id":${BIG},"v":1e400,"n":1.5},"made":${BIG}}}}`,
		);
	}
});

test("the metatools pass every digit on, and code gets such numbers as text", async (t) => {
	const { gateway, stop } = await testGateway({
		config: { servers: [SPEC] },
		openTransport,
		codeEngine: createWasmEngine(),
	});
	t.after(stop);
	const transport = createStreamableTransport(HERE);
	t.after(() => transport.close());
	void transport.serve(createGatewayServer(gateway), new AbortController().signal);
	await until(() => transport.info().address !== undefined);
	const ask = await session(transport.info().address ?? "");
	const call = async (metatool: string, args: string): Promise<string> => {
		const answer = await ask("tools/call", `{"name":"${metatool}","arguments":${args}}`);
		return /"structuredContent":(.*)\}\}/.exec(answer)?.[1] ?? answer;
	};
	assert.match(
		await call("describe_tool", '{"tool_id":"echo:echo","detail_level":"schema"}'),
		/"maximum":9223372036854775807/,
	);
	const got = `"structured":{"got":{"id":${BIG}},"made":${BIG}}`;
	assert.ok((await call("run_tool", `{"tool_id":"echo:echo","args":{"id":${BIG}}}`)).includes(got));
	const asText = JSON.stringify(`{"id":${BIG}}`);
	assert.ok((await call("run_tool", `{"tool_id":"echo:echo","args":${asText}}`)).includes(got));
	const from = '{"tool_id":"echo:echo","args":{"id":{"$from":"previous/got/id"}}}';
	const chain = await call("run_chain", `{"steps":[{"tool_id":"echo:echo","args":{"id":${BIG}}},${from}]}`);
	assert.equal(chain.split(got).length - 1, 2, chain);
	assert.match(
		await call("run_tool", `{"tool_id":"echo:echo","args":{"id":92233720368547758070}}`),
		/args\/id: expected 9223372036854776000 or less/,
	);
	const code = JSON.stringify("await tools.call('echo:echo', { id: 2 ** 53 })");
	const value = `"value":{"got":{"id":9007199254740992},"made":"${BIG}"}`;
	assert.ok((await call("execute_code", `{"language":"javascript","code":${code}}`)).includes(value));
});
