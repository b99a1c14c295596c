import assert from "node:assert/strict";
import { test } from "node:test";
import { Catalog } from "../../src/catalog/catalog.ts";
import { createSessionTool } from "../../src/passthrough/mountedUpstreams.ts";
import { memorySpec } from "../fixtures/inProcess.ts";

const schema = { inputSchema: { type: "object" } };

test("a tool whose id depends on its neighbours has none while the gateway does not know them", () => {
	const catalog = new Catalog();
	const idOf = (name: string) => createSessionTool(memorySpec("demo"), { name, ...schema }, catalog)?.id;
	assert.deepEqual([idOf("foo_bar"), idOf("foo bar")], ["demo:foo_bar", undefined]);
	catalog.set({
		namespace: "demo",
		definitions: [{ name: "echo", ...schema }],
		backendOf: () => ({ kind: "mcp", mcp: { serverName: "demo" } }),
	});
	assert.deepEqual([idOf("foo_bar"), idOf("foo bar")], ["demo:foo_bar", "demo:foo_bar"]);
});
