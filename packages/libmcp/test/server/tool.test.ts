import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { toolDispatcher } from "../../src/server/offer/dispatchers.ts";
import type { Schema } from "../../src/server/offer/schema.ts";
import { tool } from "../../src/server/offer/tool.ts";
import { RawClient } from "./rawClient.ts";

const SERVER = fileURLToPath(new URL("./fixtures/toolServer.ts", import.meta.url));

test("tools are listed with the schemas, icons and effect they were given, and nothing else", async () => {
	const client = new RawClient([SERVER]);
	await client.handshake();
	client.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
	const { value } = await client.find((line) => line.value.id === 1);
	assert.deepEqual(value.result, {
		tools: [
			{
				name: "place_order",
				title: "Place an order",
				description: "Places an order.",
				inputSchema: {
					type: "object",
					properties: { key: { type: "string" }, amount: { type: "number" } },
					required: ["key", "amount"],
				},
				outputSchema: { type: "object", properties: { total: { type: "number" } }, required: ["total"] },
				icons: [{ src: "https://example.com/order.png", mimeType: "image/png" }],
				_meta: { "io.libmcp/effect": { recovery: { kind: "deduplicated", key: "/key" } } },
			},
			{
				name: "hello",
				description: "Greets.",
				inputSchema: { type: "object" },
				annotations: { readOnlyHint: true },
			},
			{ name: "draw", description: "Draws.", inputSchema: { type: "object" } },
		],
	});
	assert.equal(await client.close(), 0);
});

test("a call is answered by its tool, and a mistake in it is named where the model or the client reads it", async () => {
	const client = new RawClient([SERVER]);
	await client.handshake();
	const order = (args: unknown) => ({ name: "place_order", arguments: args });
	const failed = (text: string) => ({ result: { content: [{ type: "text", text }], isError: true } });
	const invalid = (message: string) => ({
		error: { code: -32602, message, data: { code: "INVALID_PARAMS", message } },
	});
	const internal = "The server failed to answer this request.";
	const cases: readonly (readonly [unknown, unknown])[] = [
		[
			order({ key: "a", amount: 2 }),
			{ result: { content: [{ type: "text", text: '{"total":4}' }], structuredContent: { total: 4 } } },
		],
		[order({ key: 7 }), failed("key: expected a string; amount: expected a number")],
		[order({ key: "unknown", amount: 1 }), failed("there is no such order")],
		[{ name: "hello" }, { result: { content: [{ type: "text", text: "hello" }] } }],
		[{ name: "draw" }, { result: { content: [{ type: "image", data: "", mimeType: "image/png" }] } }],
		[{ name: "helo" }, invalid('name: expected a tool of this server, got "helo"; did you mean hello?')],
		[{}, invalid("name: expected a tool of this server, got nothing")],
		[{ name: "hello", arguments: [1] }, invalid("arguments: expected an object, got an array")],
		...["broken", "wrong"].map(
			(key) =>
				[
					order({ key, amount: 1 }),
					{ error: { code: -32603, message: internal, data: { code: "INTERNAL", message: internal } } },
				] as const,
		),
	];
	for (const [id, [params, expected]] of cases.entries()) {
		client.send({ jsonrpc: "2.0", id, method: "tools/call", params });
		const { value } = await client.find((line) => line.value.id === id);
		assert.deepEqual(value, { jsonrpc: "2.0", id, ...(expected as object) });
	}
	client.send({ jsonrpc: "2.0", id: "other", method: "prompts/list" });
	const other = await client.find((line) => line.value.id === "other");
	assert.deepEqual(other.value.result, { asked: "prompts/list" });
	assert.equal(await client.close(), 0);
	assert.match(client.stderr, /a secret path/);
	assert.match(client.stderr, /tool "place_order": output: total: expected a number/);
});

for (const [label, mode] of [
	["with a handshake", "legacy"],
	["without one", { pin: "2026-07-28" }],
] as const) {
	test(`the SDK's client, which checks answers by their schema, takes them ${label}`, async (t) => {
		const client = new Client({ name: "witness", version: "1.0.0" }, { versionNegotiation: { mode } });
		t.after(() => client.close());
		await client.connect(
			new StdioClientTransport({
				command: process.execPath,
				args: ["--disable-warning=ExperimentalWarning", SERVER],
			}),
		);
		await client.listTools();
		const { structuredContent } = await client.callTool({ name: "place_order", arguments: { key: "a", amount: 3 } });
		assert.deepEqual(structuredContent, { total: 6 });
	});
}

test("tools that no client could be shown are refused when they are made", () => {
	const run = () => "";
	const hello = tool({ name: "hello", description: "", run });
	assert.throws(() => toolDispatcher([hello, hello]), {
		message: 'tools: expected names that differ, got "hello" twice',
	});
	const text: Schema<string> = {
		"~standard": {
			version: 1,
			vendor: "test",
			validate: () => ({ value: "" }),
			jsonSchema: { input: () => ({ type: "string" }), output: () => ({}) },
		},
	};
	assert.throws(() => tool({ name: "say", description: "", input: text, run }), {
		message: 'tool "say": input: expected the schema of an object, got "string"',
	});
	const effect = { recovery: { kind: "deduplicated", key: "key" } } as const;
	assert.throws(() => tool({ name: "put", description: "", effect, run }), {
		message:
			'tool "put": effect: expected { recovery: { kind } } with keys such as "/key", got {"recovery":{"kind":"deduplicated","key":"key"}}',
	});
});

test("an author whom no compiler has warned is told which part is wrong, where and what was expected", async () => {
	// biome-ignore lint/suspicious/noExplicitAny: what a server in JavaScript may pass.
	const made = (definition: any) => tool({ name: "say", description: "", run: () => "", ...definition });
	const schema = (standard: object) => ({ "~standard": { version: 1, vendor: "test", ...standard } });
	const unsayable = () => {
		throw new Error("a date cannot be said");
	};
	for (const [definition, message] of [
		[{ name: 7 }, "tool: name: expected text, got number"],
		[{ run: undefined }, 'tool "say": run: expected a function, got nothing'],
		...[{ key: schema({}) }, { type: "object" }].map(
			(input) =>
				[
					{ input },
					'tool "say": input: expected a schema that emits JSON Schema (zod 4.2, arktype), got object',
				] as const,
		),
		[
			{ output: schema({}) },
			'tool "say": output: expected a schema that emits JSON Schema (zod 4.2, arktype), got a schema of test that cannot',
		],
		[{ input: schema({ jsonSchema: { input: unsayable } }) }, 'tool "say": input: a date cannot be said'],
	] as const) {
		assert.throws(() => made(definition), { name: "TypeError", message });
	}
	for (const [reply, came] of [
		[undefined, "nothing"],
		[{ total: 3 }, "object"],
		[[{ type: "text", text: "" }], "an array"],
	] as const) {
		// No part of the context is used.
		await assert.rejects(made({ run: () => reply }).call({}, {} as never), {
			name: "TypeError",
			message: `tool "say": run: expected text or { content: [] }, since output is not declared, got ${came}`,
		});
	}
});

test("the compiler infers what the schemas say, and refuses what would fail at run time", () => {
	type Order = { readonly key: string; readonly state: "open" | "paid" };
	const order: Schema<Order> = {
		"~standard": {
			version: 1,
			vendor: "test",
			validate: () => ({ issues: [] }),
			jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
		},
	};
	tool({ name: "a", description: "", input: order, output: order, run: ({ key }) => ({ key, state: "paid" }) });
	tool({ name: "b", description: "", output: order, run: async () => ({ key: "", state: "open" }) });
	tool({ name: "c", description: "", input: order, run: async ({ state }) => state });
	// @ts-expect-error an argument that the input has not
	tool({ name: "d", description: "", input: order, run: ({ kee }) => kee });
	// @ts-expect-error an answer that is not the output
	tool({ name: "e", description: "", output: order, run: () => ({ key: 1, state: "open" }) });
	// @ts-expect-error text where the output is an object
	tool({ name: "f", description: "", output: order, run: () => "" });
	// @ts-expect-error no reply
	tool({ name: "g", description: "", run: () => 7 });
	// @ts-expect-error no content of that kind
	tool({ name: "h", description: "", run: () => ({ content: [{ type: "picture", data: "", mimeType: "" }] }) });
	// @ts-expect-error no update of progress
	tool({ name: "i", description: "", run: (_, { progress }) => String(progress({ done: 1 })) });
});
