// What a server offers beside its tools, for callers who may not see all of these.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createFront, LOOPBACK_NAMES, listen } from "libmcp/http";
import { createPolicyGate } from "../../src/auth/policy.ts";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import { MountedUpstreams } from "../../src/passthrough/mountedUpstreams.ts";
import type { Viewer } from "../../src/run/access.ts";
import { createToolsets } from "../../src/toolsets/toolset.ts";
import { testGateway } from "../fixtures/gateway.ts";
import { answering } from "./answering.ts";
import { ask, ask2026, send2026 } from "./conversations.ts";

const ALL: Viewer = { id: "all" };
const SOME: Viewer = { id: "some" };
const OF_SET: Viewer = { id: "all", toolset: "writing" };

const uri = "memory://graph";
const RESULTS: Readonly<Record<string, JsonObject>> = {
	initialize: {
		protocolVersion: "2025-11-25",
		capabilities: {
			tools: { listChanged: true },
			resources: { subscribe: true, listChanged: true },
			prompts: { listChanged: true },
			completions: {},
			logging: {},
		},
		serverInfo: { name: "memory", version: "1" },
	},
	"tools/list": { tools: ["write", "read"].map((name) => ({ name, inputSchema: { type: "object" } })) },
	"tools/call": { content: [{ type: "text", text: "ran" }] },
	"logging/setLevel": {},
};
const BESIDE_TOOLS = {
	"resources/list": {},
	"resources/templates/list": {},
	"resources/read": { uri },
	"resources/subscribe": { uri },
	"resources/unsubscribe": { uri },
	"prompts/list": {},
	"prompts/get": { name: "p" },
	"completion/complete": { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } },
	"its_own/method": {},
} as const;
const OF_SESSIONS: ReadonlySet<string> = new Set(["resources/subscribe", "resources/unsubscribe"]);

for (const [whom, viewer] of [
	["a caller whose rules hide a tool", SOME],
	["a caller whose toolset leaves a tool out", OF_SET],
] as const) {
	test(`${whom} gets nothing of the server but its tools`, async (t) => {
		const { url, asked } = await memory(t, viewer);
		const { session, body } = await ask(url);
		assert.deepEqual(Object.keys(capabilitiesIn(body)), ["tools", "logging"]);
		assert.ok((await ask(url, session, "tools/call", { name: "write", arguments: {} })).body.result);
		assert.ok((await ask(url, session, "logging/setLevel", { level: "error" })).body.result);
		for (const [method, params] of Object.entries(BESIDE_TOOLS)) {
			const { error } = (await ask(url, session, method, params)).body;
			assert(isObject(error), method);
			assert.equal(error.code, -32601);
			assert.equal(error.message, `${method}: only for callers from whom no tool of this server is hidden`);
		}
		assert.deepEqual(
			asked.filter((method) => Object.hasOwn(BESIDE_TOOLS, method)),
			[],
		);
	});

	test(`${whom} gets nothing else without a session either`, async (t) => {
		const { url, asked } = await memory(t, viewer);
		assert.deepEqual(Object.keys(capabilitiesIn(await ask2026(url, "server/discover", {}, {}))), ["tools", "logging"]);
		for (const [method, params] of Object.entries(BESIDE_TOOLS)) {
			const { error } = await ask2026(url, method, params, {});
			assert(isObject(error) && error.code === -32601, method);
		}
		const notifications = { resourceSubscriptions: [uri], resourcesListChanged: true };
		const told = await (await send2026(url, "subscriptions/listen", { notifications }, {})).text();
		assert.match(told, /"notifications":\{\}/, "nothing that it asked for is delivered");
		assert.deepEqual(
			asked.filter((method) => Object.hasOwn(BESIDE_TOOLS, method)),
			[],
		);
	});
}

test("a caller from whom no tool is hidden gets everything", async (t) => {
	const { url } = await memory(t, ALL);
	const { session, body } = await ask(url);
	assert.deepEqual(capabilitiesIn(body), capabilitiesIn({ result: RESULTS.initialize }));
	const offered = capabilitiesIn(await ask2026(url, "server/discover", {}, {}));
	assert.deepEqual(offered, capabilitiesIn({ result: RESULTS.initialize }));
	for (const [method, params] of Object.entries(BESIDE_TOOLS)) {
		assert.ok((await ask(url, session, method, params)).body.result, method);
		if (!OF_SESSIONS.has(method)) assert.ok((await ask2026(url, method, params, {})).result, method);
	}
});

function capabilitiesIn({ result }: JsonObject): JsonObject {
	assert(isObject(result) && isObject(result.capabilities), JSON.stringify(result));
	return result.capabilities;
}

/** The path of a server with two tools and much else, for this caller. */
async function memory(t: TestContext, viewer: Viewer): Promise<{ readonly url: string; readonly asked: string[] }> {
	const asked: string[] = [];
	const { open } = answering((method) => {
		asked.push(method);
		return RESULTS[method] ?? (Object.hasOwn(BESIDE_TOOLS, method) ? {} : undefined);
	});
	const demo = await testGateway({
		openTransport: open,
		servers: ["mem"],
		gates: [createPolicyGate(() => ({ all: {}, some: { deny: ["mem:read"] } }))],
		config: { toolsets: createToolsets({ writing: { tools: ["mem:write"] } }) },
	});
	const mounted = new MountedUpstreams(demo.gateway, { open, viewerOf: () => viewer });
	const front = createFront({
		endpoint: (path) => mounted.at(path),
		origins: { hosts: LOOPBACK_NAMES, origins: [] },
		authenticate: () => ({ id: viewer.id, scopes: [] }),
	});
	const listener = await listen(front);
	t.after(async () => {
		await listener.close(mounted.all(), 0);
		await demo.stop();
	});
	return { url: `${listener.address}/mcp/mem`, asked };
}
