import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { RpcError } from "libmcp";
import { verifies } from "../../../../e2e/verifies.ts";
import { type Gate, HIDE } from "../../src/run/access.ts";
import { createDispatcher } from "../../src/server/serving/dispatcher.ts";
import { type TestGateway, testContext, testGateway, texts } from "../fixtures/gateway.ts";
import { memorySpec } from "../fixtures/inProcess.ts";

let demo: TestGateway;
before(async () => {
	demo = await testGateway({ servers: ["demo", "other"] });
});
after(() => demo.stop());

const ids = (data: Record<string, unknown>) => (data.tools as { id: string }[]).map((tool) => tool.id);

verifies("004-tradeoffs-tool-search", "search_tools is listed and finds tools by what they do", async () => {
	const listed = await createDispatcher(demo.gateway)("tools/list", {}, testContext([]));
	assert((listed as { tools: { name: string }[] }).tools.some((tool) => tool.name === "search_tools"));
	const data = await demo.data("search_tools", { query: "repeat some text for me" });
	assert.equal(ids(data)[0], "demo:echo");
});

test("tools/list is one page, and a cursor for another is refused", async () => {
	const list = (params: unknown) => createDispatcher(demo.gateway)("tools/list", params, testContext([]));
	assert.deepEqual(await list({ cursor: null }), await list({}));
	for (const cursor of ["zzz", "", 5])
		await assert.rejects(list({ cursor }), { code: -32602, message: /^invalid cursor: the whole list is one page/ });
});

test("an exact name, or an exact id, comes first", async () => {
	assert.equal(ids(await demo.data("search_tools", { query: "count_safely" }))[0], "demo:count_safely");
	assert.equal(ids(await demo.data("search_tools", { query: "other:slow" }))[0], "other:slow");
});

test("an empty query gives every tool in order of id", async () => {
	const data = await demo.data("search_tools", { query: "", limit: 100 });
	assert.deepEqual(ids(data), ids(data).toSorted());
	assert.equal(ids(data).length, 2 * 13 + 3);
});

test("several needs in one call each find their tool", async () => {
	const found = ids(
		await demo.data("search_tools", { query: "", queries: ["repeat a text", "report progress"], limit: 4 }),
	);
	assert(found.includes("demo:echo") && found.includes("demo:steps"), found.join());
});

test("a short page of several needs has the best tool of each that may be shown", async (t) => {
	const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: "object" } });
	const tools = [
		...["get", "add", "stop"].map((verb) => tool(`${verb}_alarm`, `Get an alarm; ${verb} it`)),
		tool("forecast", "Weather of the coming week at a place, for people who travel"),
		tool("hidden", "Weather of today in town"),
	];
	const gates: Gate[] = [{ check: ({ name }) => (name === "hidden" ? HIDE : { kind: "allow" }) }];
	const many = await testGateway({ tools, gates });
	t.after(() => many.stop());
	const queries = ["get an alarm", "will it be rainy in town, or what weather is it today"];
	assert.deepEqual(ids(await many.data("search_tools", { queries, limit: 2 })), ["demo:get_alarm", "demo:forecast"]);
	assert.equal(ids(await many.data("search_tools", { queries })).length, 4);
});

verifies("004-tradeoffs-search-limit-cap", "no page is longer than 100, whatever is asked", async (t) => {
	const tools = Array.from({ length: 250 }, (_, n) => ({
		name: `tool_${n}`,
		description: "find me",
		inputSchema: { type: "object" },
	}));
	const many = await testGateway({ tools });
	t.after(() => many.stop());
	for (const [name, args] of [
		["search_tools", { query: "find", limit: 5_000 }],
		["list_tools", { limit: 5_000 }],
	] as const) {
		const data = await many.data(name, args);
		assert.equal(ids(data).length, 100);
		assert.equal(typeof data.nextCursor, "string");
	}
	const rows = async (name: string, args = {}) => ids(await many.data(name, args)).length;
	assert.equal(await rows("search_tools", { query: "find" }), 10, "one need");
	assert.equal(await rows("search_tools", { queries: ["find", "me"] }), 20, "several needs");
	assert.equal(await rows("list_tools"), 20);
	const first = await many.data("search_tools", { query: "find" });
	const second = await many.data("search_tools", { query: "find", cursor: first.nextCursor });
	assert.deepEqual(new Set([...ids(first), ...ids(second)]).size, 20);
});

test("a task of any length is answered: its middle is left out, its beginning and its end count", async () => {
	const filler = "The quick brown fox sleeps. ".repeat(640);
	assert(filler.length > 17_000);
	for (const query of [`count the calls ${filler}`, `${filler} count the calls`])
		assert.equal(ids(await demo.data("search_tools", { query }))[0], "demo:count");
	const queries = [`count the calls ${filler}`, `repeat a text ${filler}`];
	assert.deepEqual(
		ids(await demo.data("search_tools", { queries }))
			.slice(0, 2)
			.sort(),
		["demo:count", "demo:echo"],
	);
});

verifies(
	"004-search-short-answer",
	"rows of a search leave out what all of them say and name what was asked for",
	async (t) => {
		const tool = (name: string, description: string, properties: object = {}) => ({
			name,
			description,
			inputSchema: { type: "object" as const, properties },
		});
		const tools = [
			tool("get_invoice", "Calls the Acme REST API to fetch one invoice. Needs a key of the account."),
			tool("list_invoices", "Calls the Acme REST API to list the invoices of a customer.", { currency: {}, page: {} }),
			...Array.from({ length: 12 }, (_, n) =>
				tool(`invoice_${n}`, `Calls the Acme REST API to do step ${n} of an invoice.`),
			),
		];
		const acme = await testGateway({ tools });
		t.after(() => acme.stop());
		const text = texts(await acme.call("search_tools", { query: "invoices of a customer in a currency" }));
		assert.match(text, /^10 of 1\d tools\n/);
		assert.match(text, /^demo:list_invoices +… list the invoices of a customer\.; takes currency$/m);
		assert.doesNotMatch(text, /Acme|Needs a key|cursor/);
		assert.match(text, /\na higher limit shows more$/);
	},
);

verifies("004-search-nothing-fits", "a search that no tool answers says so, with the nearest two at most", async () => {
	for (const query of ["send an email", "book a flight to Paris"]) {
		const result = await demo.call("search_tools", { query });
		assert.match(texts(result), /^nothing here seems to do that; nearest:\n/, query);
		const data = result.structuredContent as Record<string, unknown>;
		assert.equal(data.nothingFits, true);
		assert(ids(data).length <= 2);
	}
	assert.equal((await demo.data("search_tools", { query: "repeat a text" })).nothingFits, undefined);
});

test("the answer for several needs shows the tools of each under it", async () => {
	const result = await demo.call("search_tools", { queries: ["repeat a text", "report progress"] });
	assert.match(texts(result), /^for: repeat a text\n(?:.*\n)*?demo:echo /m);
	assert.match(texts(result), /^for: report progress\n(?:.*\n)*?demo:steps /m);
	const { tools } = result.structuredContent as { tools: { id: string; need: string }[] };
	assert.equal(tools.find(({ id }) => id === "demo:steps")?.need, "report progress");
});

test("limits that make no sense are refused by name", async () => {
	for (const limit of [0, -1, 1.5, "20"]) {
		await assert.rejects(
			demo.call("search_tools", { query: "x", limit }),
			(error: RpcError) => error.code === -32602 && /limit/.test(error.message),
		);
	}
	await assert.rejects(demo.call("search_tools", {}), /arguments\/query: expected a value, got none/);
});

verifies("004-tradeoffs-cursor-opaque", "paging returns each tool once, and an altered cursor is refused", async () => {
	const seen: string[] = [];
	let cursor: string | undefined;
	do {
		const data = await demo.data("list_tools", { limit: 4, ...(cursor !== undefined && { cursor }) });
		seen.push(...ids(data));
		cursor = data.nextCursor as string | undefined;
		if (cursor === undefined) break;
		const forged = `${cursor.slice(0, -2)}${cursor.endsWith("AA") ? "BB" : "AA"}`;
		for (const altered of [forged, `${cursor}=`, `${cursor} `])
			await assert.rejects(
				demo.call("list_tools", { limit: 4, cursor: altered }),
				(error: RpcError) => error.code === -32602 && /invalid cursor/.test(error.message),
			);
	} while (seen.length < 100);
	assert.equal(new Set(seen).size, seen.length);
	assert.deepEqual(
		seen,
		demo.gateway.catalog.tools.map((tool) => tool.id),
	);
});

verifies(
	"004-error-semantics-invalid-cursor",
	"a cursor of another query, of another limit or of nowhere is -32602 and says which",
	async () => {
		const { nextCursor } = await demo.data("search_tools", { query: "count", limit: 1 });
		const cases = [
			[{ query: "echo", limit: 1, cursor: nextCursor }, "MISMATCHED"],
			[{ query: "count", limit: 2, cursor: nextCursor }, "MISMATCHED"],
			[{ query: "count", limit: 1, cursor: "bm90IG91cnM" }, "FORGED"],
			[{ query: "count", limit: 1, cursor: "" }, "FORGED"],
			[{ query: "count", limit: 1, cursor: `${nextCursor} ` }, "FORGED"],
		] as const;
		for (const [args, reason] of cases) {
			await assert.rejects(demo.call("search_tools", args), (error: RpcError) => {
				assert.equal(error.code, -32602);
				assert.deepEqual((error.data as { details: { reason: string } }).details.reason, reason);
				return true;
			});
		}
	},
);

verifies(
	"004-tradeoffs-cursor-stale",
	"a cursor from before a change of the catalogue is refused, one from before a mere reconnection is not",
	async (t) => {
		const own = await testGateway();
		t.after(() => own.stop());
		const { nextCursor } = await own.data("list_tools", { limit: 3 });
		own.gateway.catalog.set({
			namespace: "demo",
			definitions: own.peers.of("demo").tools,
			backendOf: () => ({ kind: "mcp", mcp: { serverName: "demo" } }),
		});
		await own.data("list_tools", { limit: 3, cursor: nextCursor });
		own.gateway.catalog.set({
			namespace: "added",
			definitions: [{ name: "one" }],
			backendOf: () => ({ kind: "local", local: { name: "one" } }),
		});
		await assert.rejects(
			own.call("list_tools", { limit: 3, cursor: nextCursor }),
			(error: RpcError) => error.code === -32602 && /catalogue changed/.test(error.message),
		);
	},
);

test("list_tools filters by server without losing a page", async () => {
	const seen: string[] = [];
	let cursor: unknown;
	do {
		const data = await demo.data("list_tools", {
			backend_kind: "mcp",
			backend_name: "other",
			limit: 5,
			...(cursor !== undefined && { cursor }),
		});
		seen.push(...ids(data));
		cursor = data.nextCursor;
	} while (cursor !== undefined);
	assert.equal(seen.length, 13);
	assert(seen.every((id) => id.startsWith("other:")));
});

test("list_namespaces tells what a server is called whose name cannot be a namespace", async (t) => {
	const server = { ...memorySpec("検索"), namespace: "_ad72e9" };
	const other = await testGateway({ config: { servers: [server] } });
	t.after(() => other.stop());
	const { details } = await other.data("list_namespaces");
	assert.match(JSON.stringify(details), /"problems":\["\\"検索\\" is called _ad72e9 here: /);
});

test("list_namespaces shows in its text what is wrong with a server's tools, and who asks for one is told", async (t) => {
	const tool = (name: string, description = "") => ({ name, description, inputSchema: { type: "object" as const } });
	const tools = [tool("plain"), tool("huge", "x".repeat(300_000)), tool("two words")];
	const other = await testGateway({ tools });
	t.after(() => other.stop());
	const why = '"huge" is left out: its definition has 300064 characters, at most 256000 are taken';
	assert.match(texts(await other.call("list_namespaces")), new RegExp(`demo +ready +2 +${why} \\(and 1 more\\)`));
	for (const [name, args] of [
		["run_tool", { tool_id: "demo:huge" }],
		["describe_tool", { tool_id: "demo:huge", detail_level: "full" }],
	] as const) {
		const error = await other.error(name, args);
		assert.deepEqual([error.code, error.message], ["tool_not_found", `demo:huge cannot be used: ${why}`]);
	}
	const confined = createDispatcher(other.gateway, { viewerOf: () => ({ id: "x", toolset: "none" }) });
	const params = { name: "run_tool", arguments: { tool_id: "demo:huge" } };
	assert.doesNotMatch(JSON.stringify(await confined("tools/call", params, testContext([]))), /left out/);
});

test("list_namespaces tells a caller from whom tools are hidden of the others only", async (t) => {
	const tool = (name: string, description = "") => ({ name, description, inputSchema: { type: "object" as const } });
	const tools = [
		tool("my tool"),
		tool("wipe disk"),
		tool("wipe"),
		tool("wipe", "again"),
		tool("wipe_all", "x".repeat(300_000)),
	];
	const gate: Gate = {
		check: ({ name }, { id }) => (id === "x" && name.startsWith("wipe") ? HIDE : { kind: "allow" }),
	};
	const other = await testGateway({ tools, gates: [gate] });
	t.after(() => other.stop());
	assert.match(JSON.stringify(await other.data("list_namespaces")), /wipe_all.*my tool.*wipe disk/);
	const hers = createDispatcher(other.gateway, { viewerOf: () => ({ id: "x" }) });
	const listed = JSON.stringify(await hers("tools/call", { name: "list_namespaces" }, testContext([])));
	assert.match(listed, /my tool/);
	assert.doesNotMatch(listed, /wipe/);
});

test("list_namespaces gives sorted names with the state of each", async () => {
	const data = await demo.data("list_namespaces");
	assert.deepEqual(data.namespaces, ["demo", "local", "other"]);
	const first = (data.details as Record<string, unknown>[])[0];
	assert.equal(first?.state, "ready");
	assert.equal(first?.tools, 13);
});

verifies(
	"004-tradeoffs-porcelain-default",
	"answers are short lines by default with the same data in structuredContent, and JSON on request",
	async () => {
		const plain = await demo.call("search_tools", { query: "repeat a text", limit: 2 });
		assert.match(texts(plain), /^2 of \d+ tools\ntool +description\ndemo:echo +Repeat a text\n/);
		assert.deepEqual(ids(plain.structuredContent as Record<string, unknown>), ["demo:echo", "other:echo"]);
		const json = await demo.call("search_tools", { query: "repeat a text", limit: 2, render: "json" });
		assert.deepEqual(JSON.parse(texts(json)).tools, (json.structuredContent as Record<string, unknown>).tools);
		for (const [name, args] of [
			["list_namespaces", {}],
			["run_tool", { tool_id: "demo:structured" }],
			["describe_tool", { tool_id: "demo:echo", detail_level: "schema" }],
		] as const) {
			const result = await demo.call(name, args);
			assert.throws(() => JSON.parse(texts(result)).structured.id.nothing.here);
			assert.equal(typeof result.structuredContent, "object");
		}
	},
);

test("search finds nothing without inventing anything", async () => {
	const data = await demo.data("search_tools", { query: "zzzzqqq" });
	assert.deepEqual(data.tools, []);
});

test("a cursor does not survive a change of what its reader may see", async (t) => {
	const hidden = new Set<string>();
	const own = await testGateway({
		gates: [{ check: (tool) => ({ kind: hidden.has(tool.name) ? "hide" : "allow" }) }],
	});
	t.after(() => own.stop());
	const { nextCursor } = await own.data("list_tools", { limit: 3 });
	await own.data("list_tools", { limit: 3, cursor: nextCursor });
	hidden.add("echo");
	await assert.rejects(own.call("list_tools", { limit: 3, cursor: nextCursor }), /catalogue changed/);
});
