import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../e2e/verifies.ts";
import { metatools } from "../transport/command.ts";

const EVERYTHING = fileURLToPath(new URL("../../../libmcp/test/fixtures/everythingStdio.ts", import.meta.url));
const KEYS = { alice: "alice-key-0123456789", bob: "bob-key-0123456789xx" };
const REVISION = "2026-07-28";
const folder = mkdtempSync(join(tmpdir(), "metatools-rules-"));
after(() => rmSync(folder, { recursive: true, force: true }));

type Seen = { readonly method: string; readonly headers: IncomingHttpHeaders };
type Rpc = { readonly id: number; readonly method: string };
type Answer = { readonly result?: Record<string, unknown>; readonly error?: { readonly code: number } };

const ANSWERS: Readonly<Record<string, object>> = {
	"server/discover": { supportedVersions: [REVISION], capabilities: { tools: {} }, ttlMs: 0, cacheScope: "private" },
	"tools/list": {
		tools: [
			{
				name: "route",
				inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
			},
		],
		ttlMs: 0,
		cacheScope: "private",
	},
	"tools/call": { content: [{ type: "text", text: "routed" }] },
};

/** A server without a handshake that remembers the headers of every request. */
async function recorder(): Promise<{ readonly url: string; readonly seen: Seen[] }> {
	const seen: Seen[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += String(chunk);
		const { id, method } = JSON.parse(body || "{}") as Rpc;
		seen.push({ method, headers: request.headers });
		const result = ANSWERS[method];
		const error = { code: -32601, message: "unknown" };
		response.writeHead(result === undefined ? 404 : 200, { "content-type": "application/json" });
		response.end(
			JSON.stringify({
				jsonrpc: "2.0",
				id,
				...(result === undefined ? { error } : { result: { resultType: "complete", ...result } }),
			}),
		);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	after(() => {
		server.closeAllConnections();
		server.close();
	});
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen };
}

/** The built gateway with these servers, open to the keys above. */
async function gateway(mcpServers: object): Promise<string> {
	const file = join(folder, `${Object.keys(mcpServers).join()}.json`);
	writeFileSync(file, JSON.stringify({ mcpServers, auth: { keys: KEYS } }));
	return metatools(["serve", "--transport=streamable", "--port=0", "-c", file]).address;
}

async function call(
	url: string,
	token: string,
	name: string,
	params: object,
	headers: Record<string, string> = {},
	capabilities: object = {},
): Promise<Answer> {
	const meta = {
		"io.modelcontextprotocol/protocolVersion": REVISION,
		"io.modelcontextprotocol/clientCapabilities": capabilities,
	};
	const response = await fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			authorization: `Bearer ${token}`,
			"mcp-protocol-version": REVISION,
			"mcp-method": "tools/call",
			"mcp-name": name,
			...headers,
		},
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, _meta: meta, ...params } }),
	});
	const text = await response.text();
	// An answer that takes its time comes as a stream of events.
	return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as Answer;
}

/** Asks until the gateway knows the servers behind it. */
async function eventually(attempt: () => Promise<Answer>): Promise<Answer> {
	const deadline = performance.now() + 20_000;
	for (;;) {
		const answer = await attempt();
		if (answer.error === undefined && answer.result?.isError !== true) return answer;
		assert.ok(performance.now() < deadline, JSON.stringify(answer));
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

verifies(
	["mcp-http-param-headers", "mcp-auth-no-passthrough"],
	"headers that repeat arguments pass through, a caller's token does not",
	async () => {
		const { url: upstream, seen } = await recorder();
		const url = await gateway({ rec: { url: upstream, protocol: "modern", headers: { "x-own": "ours" } } });
		const through = () =>
			call(
				`${url}/rec`,
				KEYS.alice,
				"route",
				{ arguments: { region: "zürich" } },
				{ "mcp-param-region": "=?base64?esO8cmljaA==?=", "mcp-param-unheard-of": "kept" },
			);
		await eventually(through);
		const passed = seen.findLast(({ method }) => method === "tools/call")?.headers ?? {};
		assert.equal(passed["mcp-param-region"], "=?base64?esO8cmljaA==?=");
		assert.equal(passed["mcp-param-unheard-of"], "kept");
		assert.equal(passed["x-own"], "ours");
		seen.length = 0;
		await eventually(() =>
			call(url, KEYS.alice, "run_tool", { arguments: { tool_id: "rec:route", args: { region: "x" } } }),
		);
		assert.equal(seen.find(({ method }) => method === "tools/call")?.headers["mcp-param-region"], "x");
		await through();
		assert.ok(seen.length >= 2);
		for (const { headers } of seen) {
			assert.equal(headers.authorization, undefined);
			assert.doesNotMatch(JSON.stringify(headers), /alice-key/);
		}
	},
	{ timeout: 120_000 },
);

verifies(
	"mcp-auth-state-owner",
	"another caller cannot go on with a call by knowing its state",
	async () => {
		const command = {
			protocol: "legacy",
			command: process.execPath,
			args: ["--disable-warning=ExperimentalWarning", EVERYTHING],
		};
		const url = await gateway({ every: command });
		const name = "test_sampling";
		const begin = () => call(`${url}/every`, KEYS.alice, name, { arguments: { prompt: "p" } }, {}, { sampling: {} });
		const { result } = await eventually(begin);
		assert.equal(result?.resultType, "input_required", JSON.stringify(result));
		const said = { role: "assistant", model: "m", content: { type: "text", text: "mine" } };
		const answers = { requestState: result.requestState, inputResponses: { input: said } };
		const goOn = (token: string) =>
			call(`${url}/every`, token, name, { arguments: { prompt: "p" }, ...answers }, {}, { sampling: {} });
		assert.equal((await goOn(KEYS.bob)).error?.code, -32602);
		assert.match(JSON.stringify(await goOn(KEYS.alice)), /LLM response: mine/);
	},
	{ timeout: 120_000 },
);

verifies(
	"mcp-auth-no-deputy",
	"there is no authorization endpoint here that could lend one caller's consent to another",
	async () => {
		const { url: upstream } = await recorder();
		const { origin } = new URL(await gateway({ lone: { url: upstream, protocol: "modern" } }));
		const paths = ["/authorize", "/token", "/register", "/callback", "/.well-known/oauth-authorization-server"];
		for (const path of paths) {
			const bare = await fetch(`${origin}${path}?client_id=x&redirect_uri=https://evil.example`, {
				redirect: "manual",
			});
			assert.equal(bare.status, 401, path);
			assert.equal(bare.headers.get("location"), null);
			const known = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${KEYS.alice}` } });
			assert.equal(known.status, 404, path);
			assert.equal(known.headers.get("set-cookie"), null);
		}
	},
	{ timeout: 120_000 },
);
