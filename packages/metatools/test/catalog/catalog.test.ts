import assert from "node:assert/strict";
import { test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { Catalog, summarizeTool } from "../../src/catalog/catalog.ts";
import type { NamespaceTools, ToolDefinition } from "../../src/catalog/tool.ts";
import { runChain } from "../../src/chain/chain.ts";
import { LOCAL_VIEWER } from "../../src/run/access.ts";
import { createLocalBackend } from "../../src/run/backend.ts";
import { createRunner } from "../../src/run/runner.ts";
import { CatalogSearch } from "../../src/search/catalogSearch.ts";
import { bm25 } from "../../src/search/words/bm25.ts";

const offer = (namespace: string, ...definitions: ToolDefinition[]): NamespaceTools => ({
	namespace,
	definitions,
	backendOf: () => ({ kind: "mcp", mcp: { serverName: namespace } }),
});

test("equal listings have equal versions, whatever happened between", () => {
	const catalog = new Catalog();
	catalog.set(offer("a", { name: "one" }));
	const { version } = catalog;
	assert.equal(catalog.set(offer("a", { name: "one" })), false);
	assert.equal(catalog.version, version);
	catalog.set(offer("a", { name: "one", description: "changed" }));
	assert.notEqual(catalog.version, version);
	catalog.set(offer("a", { name: "one" }));
	assert.equal(catalog.version, version);
});

test("listeners hear of changes and of nothing else", () => {
	const catalog = new Catalog();
	let heard = 0;
	const stop = catalog.onChange(() => heard++);
	catalog.set(offer("a", { name: "one" }));
	catalog.set(offer("a", { name: "one" }));
	catalog.remove("a");
	catalog.remove("a");
	stop();
	catalog.set(offer("b", { name: "one" }));
	assert.equal(heard, 2);
});

test("a changed definition replaces the old one", () => {
	const catalog = new Catalog();
	catalog.set(offer("a", { name: "one", inputSchema: { type: "object", required: ["x"] } }));
	catalog.set(offer("a", { name: "one", inputSchema: { type: "object", required: ["y"] } }));
	assert.deepEqual(catalog.get("a:one")?.definition.inputSchema, { type: "object", required: ["y"] });
});

test("a release is newer than its prereleases, and older than those of the next one", () => {
	for (const versions of [
		["2.0.0-beta", "2.0.0"],
		["2.0.0-beta.9", "2.0.0-beta.10"],
		["2.0.0", "2.1.0-rc.1"],
		["2024-01-01", "2024-01-02"],
	]) {
		const catalog = new Catalog();
		catalog.set(offer("a", ...versions.toReversed().map((version) => ({ name: "one", version }))));
		assert.deepEqual(
			catalog.resolve("a:one").map(({ version }) => version),
			versions.slice(-1),
		);
	}
});

test("an id without its version means the newest", () => {
	const catalog = new Catalog();
	catalog.set(offer("a", { name: "one", version: "1.9" }, { name: "one", version: "1.10" }));
	assert.deepEqual(
		catalog.resolve("a:one").map((tool) => tool.id),
		["a:one:1.10"],
	);
	catalog.set(offer("b", { name: "one" }));
	assert.deepEqual(
		catalog.resolve("one").map((tool) => tool.id),
		["a:one:1.10", "b:one"],
	);
	assert.deepEqual(catalog.resolve("a:one:3"), []);
	assert.deepEqual(catalog.resolve("a:one:1:2"), []);
});

test("tags are tidied, and where a tool runs is one of them", () => {
	const catalog = new Catalog();
	catalog.set(offer("Git", { name: "log", tags: ["Read Only", "Émile!", 7, ""] }));
	assert.deepEqual(catalog.get("Git:log")?.tags, ["read-only", "mile", "backend.mcp", "server.git"]);
});

test("descriptions are shortened between characters, and what cannot be seen is shown", () => {
	const catalog = new Catalog();
	catalog.set(
		offer(
			"a",
			{ name: "one", description: `${"x".repeat(118)}😀😀\u001b[31m` },
			{ name: "two", description: "a\u202eb\u0000c\r\nd\u200b" },
		),
	);
	const one = catalog.get("a:one");
	assert(one !== undefined);
	const short = summarizeTool(one).shortDescription ?? "";
	assert.equal(short, `${"x".repeat(118)}…`);
	assert.equal(catalog.get("a:two")?.shortDescription, "a\\u202eb\\x00c d\\u200b");
});

verifies(
	"004-tradeoffs-thin-adapters",
	"catalogue, search, run and chain work as libraries, without a server",
	async () => {
		const catalog = new Catalog();
		const local = createLocalBackend(catalog, [
			{
				definition: {
					name: "double",
					description: "Multiply a number by two",
					inputSchema: { type: "object", required: ["n"] },
				},
				run: ({ n }) => Number(n) * 2,
			},
		]);
		const [found] = await new CatalogSearch(catalog, bm25()).find(["multiply numbers"]);
		assert.equal(found?.id, "local:double");
		const runner = createRunner({ catalog, backends: { local }, timeoutMs: () => 1_000 });
		const signal = new AbortController().signal;
		assert.equal(
			(await runner.run({ toolId: "local:double", args: { n: 4 }, viewer: LOCAL_VIEWER, signal })).structured,
			8,
		);
		const chain = await runChain(
			[
				{ tool_id: "local:double", args: { n: 1 } },
				{ tool_id: "local:double", args: { n: { $from: "previous" } } },
			],
			{ runner, viewer: LOCAL_VIEWER, signal },
		);
		assert.equal(chain.final, 4);
	},
);

test("a tool is found by the name its server declares, whatever it is called here", () => {
	const catalog = new Catalog();
	catalog.set(offer("a", { name: "read it" }, { name: "same", version: "1" }, { name: "same", version: "2" }));
	catalog.set(offer("b", { name: "read it" }));
	assert.equal(catalog.declared("a", "read it")?.id, "a:read_it");
	assert.equal(catalog.declared("b", "read it")?.id, "b:read_it");
	assert.equal(catalog.declared("a", "same")?.id, "a:same:1");
	assert.equal(catalog.declared("b", "same"), undefined);
	catalog.remove("b");
	assert.equal(catalog.declared("b", "read it"), undefined);
	assert.deepEqual(catalog.toolsOf("b"), []);
});
