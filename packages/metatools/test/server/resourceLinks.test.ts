import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import type { CatalogTool } from "../../src/catalog/tool.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import { HIDE, type Verdict } from "../../src/run/access.ts";
import { createDispatcher } from "../../src/server/serving/dispatcher.ts";
import { collectGarbage } from "../fixtures/collectGarbage.ts";
import { type TestGateway, type TestGatewayOptions, testContext, testGateway, texts } from "../fixtures/gateway.ts";

const link = (uri: string) => ({ type: "resource_link", uri, name: "notes", mimeType: "text/plain" });

/** A gateway whose tool `count` gives the content, and whose server has these resources. */
async function linking(
	t: TestContext,
	answer: JsonObject,
	resources: Record<string, unknown> = {},
	options: TestGatewayOptions = {},
): Promise<TestGateway> {
	const demo = await testGateway(options);
	t.after(() => demo.stop());
	demo.peers.of("demo").answers.set("count", answer);
	for (const [uri, contents] of Object.entries(resources)) demo.peers.of("demo").resources.set(uri, contents);
	return demo;
}

const handleIn = (text: string): string => {
	const [, handle] = /read_result \{\\?"handle\\?":\\?"(r_[\w-]+)/.exec(text) ?? [];
	assert(handle !== undefined, text);
	return handle;
};

test("a resource that a tool only names can be read by what its answer says", async (t) => {
	const content = [{ type: "text", text: "see there" }, link("demo://notes/1")];
	const resources = { "demo://notes/1": [{ uri: "demo://notes/1", text: "a".repeat(900) }] };
	const { call } = await linking(t, { content }, resources);
	const ran = await call("run_tool", { tool_id: "demo:count" });
	assert.match(
		texts(ran),
		/^see there\n\[resource_link notes demo:\/\/notes\/1 text\/plain; read_result \{"handle":"r_[\w-]{12}"\}\]/,
	);
	assert.deepEqual((ran.content as JsonObject[])[1], link("demo://notes/1"), "clients get the link as it was");
	const handle = handleIn(texts(ran));
	const page = await call("read_result", { handle, max_chars: 1_000 });
	assert.match(texts(page), /^a{400}\n… 500 more characters from offset 400$/);
	const rest = await call("read_result", { handle, offset: 400 });
	assert.equal(texts(rest), "a".repeat(500));
});

test("a resource that does not come in time is told as that, and may be asked for again", async (t) => {
	const settings = { timeout: 300 };
	const { call, error, peers } = await linking(t, { content: [link("demo://slow")] }, {}, { settings });
	const handle = handleIn(texts(await call("run_tool", { tool_id: "demo:count" })));
	const peer = peers.of("demo");
	const receive = peer.receive.bind(peer);
	peer.receive = (message) => (message.method === "resources/read" ? undefined : receive(message));
	const { code, retryable, message } = await error("read_result", { handle });
	assert.deepEqual([code, retryable], ["timeout", true]);
	assert.equal(
		message,
		'The resource "demo://slow" was not read within 300 ms; execution_timeout of its server gives it longer.',
	);
});

test("of very many links twenty stand beside the value, and the text names them all", async (t) => {
	const content = Array.from({ length: 300 }, (_, n) => link(`demo://${n}`));
	for (const more of [{}, { structuredContent: { n: 300 } }]) {
		const { call } = await linking(t, { content, ...more });
		const ran = await call("run_tool", { tool_id: "demo:count" });
		assert.deepEqual((ran.content as JsonObject[]).slice(1), content.slice(0, 20));
		assert.equal(texts(ran).match(/\[resource_link notes demo:\/\//g)?.length, 300);
	}
});

test("a link beside structured content, in a chain and in a list of links is readable too", async (t) => {
	const resources = { "demo://x": [{ uri: "demo://x", text: "the text" }] };
	const structured = { content: [link("demo://x")], structuredContent: { id: 7 } };
	const { call, peers } = await linking(t, structured, resources);
	const ran = texts(await call("run_tool", { tool_id: "demo:count" }));
	assert.match(ran, /^\{"id":7\}\n\[resource_link/);
	assert.equal(texts(await call("read_result", { handle: handleIn(ran) })), "the text");
	const beside = texts(await call("run_chain", { steps: [{ tool_id: "demo:count" }] }));
	assert.match(beside, /^0 demo:count: \{"id":7\}\n\[resource_link/);
	assert.equal(texts(await call("read_result", { handle: handleIn(beside) })), "the text");
	peers.of("demo").answers.set("count", { content: [link("demo://x")] });
	const chain = texts(await call("run_chain", { steps: [{ tool_id: "demo:count" }] }));
	assert.equal(texts(await call("read_result", { handle: handleIn(chain) })), "the text");
	peers.of("demo").answers.set("count", { content: Array.from({ length: 50 }, (_, n) => link(`demo://${n}`)) });
	const many = texts(await call("run_tool", { tool_id: "demo:count" }));
	assert.equal(many.match(/read_result/g)?.length, 20, "one answer does not push out all that was kept");
});

test("bytes of a resource come beside its text", async (t) => {
	const picture = { uri: "demo://p", mimeType: "image/png", blob: "aGk=" };
	const { call } = await linking(t, { content: [link("demo://p")] }, { "demo://p": [picture] });
	const page = await call("read_result", {
		handle: handleIn(texts(await call("run_tool", { tool_id: "demo:count" }))),
	});
	assert.deepEqual(page.content, [
		{ type: "text", text: "[resource demo://p image/png 2 bytes]" },
		{ type: "resource", resource: picture },
	]);
});

test("a resource that is not there is the server's to say, and may be tried again", async (t) => {
	const { call, error, peers } = await linking(t, { content: [link("demo://late")] });
	const handle = handleIn(texts(await call("run_tool", { tool_id: "demo:count" })));
	const missing = await error("read_result", { handle });
	assert.deepEqual([missing.code, missing.message], ["execution_failed", "no resource demo://late"]);
	peers.of("demo").resources.set("demo://late", [{ uri: "demo://late", text: "here" }]);
	assert.equal(texts(await call("read_result", { handle })), "here");
});

test("a link is read only by who got it, and only while the tool may be run", async (t) => {
	let verdict: Verdict = { kind: "allow" };
	const gates = [{ check: () => verdict }];
	const resources = { "demo://x": [{ uri: "demo://x", text: "secret" }] };
	const { call, error, gateway } = await linking(t, { content: [link("demo://x")] }, resources, { gates });
	const handle = handleIn(texts(await call("run_tool", { tool_id: "demo:count" })));
	const other = createDispatcher(gateway, { viewerOf: () => ({ id: "other" }) });
	const stolen = await other("tools/call", { name: "read_result", arguments: { handle } }, testContext([]));
	assert.match(JSON.stringify(stolen), /tool_not_found/);
	verdict = HIDE;
	const refused = await error("read_result", { handle });
	assert.equal(refused.op, "authorize");
	assert(!JSON.stringify(refused).includes("secret"));
});

test("a link is not read once its tool has changed and waits for approval as it is now", async (t) => {
	const isApproved = (tool: CatalogTool): boolean => tool.definition.description !== "changed";
	const gates = [
		{
			check: (tool: CatalogTool): Verdict =>
				isApproved(tool) ? { kind: "allow" } : { kind: "refuse", reason: "changed" },
		},
	];
	const resources = { "demo://x": [{ uri: "demo://x", text: "secret" }] };
	const { call, error, gateway, peers } = await linking(t, { content: [link("demo://x")] }, resources, { gates });
	const handle = handleIn(texts(await call("run_tool", { tool_id: "demo:count" })));
	const peer = peers.of("demo");
	peer.tools = peer.tools.map((tool) => (tool.name === "count" ? { ...tool, description: "changed" } : tool));
	peer.notifyToolsChanged();
	await until(() => gateway.catalog.get("demo:count")?.definition.description === "changed");
	assert.equal((await error("read_result", { handle })).op, "authorize");
});

test("a link that waits to be read does not keep the answer that named it", async (t) => {
	let answered: WeakRef<JsonObject> | undefined;
	const aroundRuns: TestGatewayOptions["aroundRuns"] = (runner) => ({
		async run(request) {
			const result = await runner.run(request);
			if (result.mcpResult !== undefined) answered = new WeakRef(result.mcpResult);
			return result;
		},
	});
	const { call, peers } = await linking(t, { content: [link("demo://x")] }, {}, { aroundRuns });
	await call("run_tool", { tool_id: "demo:count" });
	peers.of("demo").answers.clear();
	await until(() => {
		collectGarbage();
		return answered !== undefined && answered.deref() === undefined;
	});
});
