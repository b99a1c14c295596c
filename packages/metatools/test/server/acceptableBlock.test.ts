import assert from "node:assert/strict";
import { test } from "node:test";
import { isSpecType } from "@modelcontextprotocol/client";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { makeBlockAcceptable } from "../../src/server/answers/acceptableBlock.ts";
import { testGateway } from "../fixtures/gateway.ts";

const IMAGE = { type: "image", mimeType: "image/png", data: "aGk=" };
const LINK = { type: "resource_link", uri: "x:1", name: "one" };
const FILE = { type: "resource", resource: { uri: "x:1", blob: "aGk=" } };

test("a block that clients accept is passed on as it is", () => {
	const annotations = { audience: ["user"], priority: 0.5, lastModified: "2026-11-17T08:00:00Z" };
	const icons = [{ src: "x:i", mimeType: "image/png", sizes: ["48x48"], theme: "dark" }];
	for (const block of [
		IMAGE,
		{ ...IMAGE, type: "audio", mimeType: "audio/wav", annotations, _meta: { own: 1 }, other: null },
		{ ...LINK, title: "One", description: "first", mimeType: "text/plain", size: 7, icons, annotations },
		FILE,
		{ type: "resource", resource: { uri: "x:2", text: "read me", mimeType: "text/plain" } },
	])
		assert.deepEqual(makeBlockAcceptable(block), block);
});

test("optional members of the wrong kind are left out, and every client takes the rest", () => {
	const nothing = { mimeType: null, title: null, description: null, size: null, icons: null, _meta: null };
	const wrong = [
		{ ...IMAGE, annotations: null, _meta: "own" },
		{ ...IMAGE, annotations: { priority: 5 } },
		{ ...IMAGE, annotations: { audience: ["everyone"] } },
		{ ...IMAGE, annotations: { lastModified: "2026-11-17" } },
		{ ...LINK, ...nothing, annotations: 1 },
		{ ...LINK, icons: [{ src: "x:i", sizes: "48x48" }] },
		{ ...FILE, annotations: null, resource: { ...FILE.resource, mimeType: null, _meta: null } },
	];
	for (const block of wrong) {
		assert(!isSpecType.ContentBlock(block), JSON.stringify(block));
		const kept = makeBlockAcceptable(block);
		assert(isSpecType.ContentBlock(kept), JSON.stringify(kept));
		CallToolResultSchema.parse({ content: [kept] });
	}
	assert.deepEqual(makeBlockAcceptable({ ...LINK, ...nothing }), LINK);
});

test("a broken block costs the model that block, and not the whole answer", async (t) => {
	const own = await testGateway();
	t.after(() => own.stop());
	const broken = [
		{ ...IMAGE, data: "data:image/png;base64,aGk=" },
		{ type: "image", data: "aGk=" },
		{ type: "resource_link", uri: "x:1" },
		{ type: "resource", resource: { text: "no address" } },
		{ type: "resource", resource: { uri: "x:1" } },
		{ type: "resource", resource: { uri: "x:1", blob: "=" } },
	];
	own.peers.of("demo").answers.set("count", { content: [{ type: "text", text: "seven" }, ...broken, IMAGE] });
	const { content } = await own.call("run_tool", { tool_id: "demo:count" });
	CallToolResultSchema.parse({ content });
	assert(Array.isArray(content));
	assert.match(content[0].text, /^seven\n\[image image\/png/);
	assert.deepEqual(content.slice(1), [
		{ type: "text", text: "… left out: image, since its data is not base64" },
		{ type: "text", text: "… left out: image, since it has no mimeType" },
		{ type: "text", text: "… left out: resource_link, since it has no uri or no name" },
		{ type: "text", text: "… left out: resource, since it has no uri" },
		{ type: "text", text: "… left out: resource, since it has no text and no blob" },
		{ type: "text", text: "… left out: resource, since its blob is not base64" },
		IMAGE,
	]);
});

test("data that only look like a picture stay in the value", async (t) => {
	const own = await testGateway();
	t.after(() => own.stop());
	const value = { blocks: [{ type: "image", data: "a caption" }] };
	own.peers.of("demo").answers.set("count", { content: [], structuredContent: value });
	const result = await own.call("run_tool", { tool_id: "demo:count" });
	assert.deepEqual(result.content, [{ type: "text", text: JSON.stringify(value) }]);
});
