// Servers made of typed parts, driven by the SDK's own clients in both eras.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
	Client,
	type ClientCapabilities,
	StreamableHTTPClientTransport,
	type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { bundled } from "../../../../e2e/bundled.ts";
import { until } from "../../../../e2e/until.ts";
import { createFront } from "../../src/http/front/front.ts";
import { LOOPBACK_NAMES } from "../../src/http/front/guards.ts";
import { listen } from "../../src/http/front/listen.ts";
import { McpEndpoint } from "../../src/http/mcpEndpoint.ts";
import { mcpServer } from "../../src/server/offer/mcpServer.ts";
import { prompt } from "../../src/server/offer/prompt.ts";
import { resource } from "../../src/server/offer/resource.ts";
import { fields } from "./fixtures/fields.ts";
import { shop } from "./fixtures/shop.ts";
import { MODERN_META, RawClient } from "./rawClient.ts";

const SERVER = await bundled(new URL("./fixtures/shopServer.ts", import.meta.url));
const HOST = fileURLToPath(new URL("../scenarios/hostProcess.ts", import.meta.url));
const ABLE: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const ERAS = [
	["with a handshake", "legacy"],
	["without one", { pin: "2026-07-28" }],
] as const;

type Answer = (params: Record<string, unknown>) => Record<string, unknown> | Promise<Record<string, unknown>>;
type Answers = Readonly<Record<string, Answer>>;
type Closing = { after(close: () => Promise<void>): void };

/** A server over standard input and output, and what it prints. */
class Process extends StdioClientTransport {
	said = "";

	constructor(args: readonly string[] = [SERVER]) {
		super({ command: process.execPath, args: ["--disable-warning=ExperimentalWarning", ...args], stderr: "pipe" });
		this.stderr?.on("data", (chunk: Buffer) => {
			this.said += chunk.toString();
		});
	}
}

async function connect(
	t: Closing,
	mode: (typeof ERAS)[number][1],
	answers: Answers = {},
	{ capabilities = ABLE, transport = new Process() as Transport } = {},
): Promise<Client> {
	const client = new Client({ name: "witness", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
	const answer = (method: string, params: unknown): never =>
		(answers[method] ?? assert.fail(`nobody expected ${method}`))(params as Record<string, unknown>) as never;
	for (const [capability, method] of [
		["elicitation", "elicitation/create"],
		["sampling", "sampling/createMessage"],
		["roots", "roots/list"],
	] as const) {
		if (capability in capabilities) client.setRequestHandler(method, ({ params }) => answer(method, params));
	}
	t.after(() => client.close());
	await client.connect(transport);
	return client;
}

const SELL = { name: "sell", arguments: { item: "tea" } };
const agree: Answer = ({ message }) => ({
	action: "accept",
	content: message === "Where to?" ? { street: "Elm" } : { yes: true },
});

for (const [label, mode] of ERAS) {
	test(`a client ${label} is told what the parts of a server amount to, and nothing else`, async (t) => {
		const client = await connect(t, mode);
		assert.deepEqual(client.getServerCapabilities(), {
			tools: { listChanged: false },
			prompts: {},
			resources: { subscribe: true },
			completions: {},
			logging: {},
		});
		assert.equal(client.getInstructions(), "Sells.");
	});

	test(`prompts are listed, completed and filled in ${label}`, async (t) => {
		const client = await connect(t, mode, {
			"elicitation/create": () => ({ action: "accept", content: { price: 3 } }),
		});
		const { prompts } = await client.listPrompts();
		assert.deepEqual(prompts, [
			{
				name: "pitch",
				title: "A pitch",
				description: "Praises an item.",
				arguments: [
					{ name: "item", required: true },
					{ name: "language", required: true },
				],
			},
			{ name: "haggle" },
		]);
		const pitch = await client.getPrompt({ name: "pitch", arguments: { item: "tea", language: "dutch" } });
		assert.equal(pitch.description, "Praises an item.");
		assert.deepEqual(pitch.messages, [{ role: "user", content: { type: "text", text: "Praise tea in dutch." } }]);
		const haggle = await client.getPrompt({ name: "haggle" });
		assert.deepEqual(
			haggle.messages.map(({ role, content }) => [role, content.type === "text" && content.text]),
			[
				["user", "Too dear."],
				["assistant", '{"action":"accept","content":{"price":3}}'],
			],
		);
		const complete = async (name: string, value: string, settled: Record<string, string> = {}) => {
			const ref = { type: "ref/prompt" as const, name: "pitch" };
			const { completion } = await client.complete({ ref, argument: { name, value }, context: { arguments: settled } });
			return completion;
		};
		assert.deepEqual(await complete("language", "d"), { values: ["danish", "dutch"], total: 2, hasMore: false });
		assert.deepEqual((await complete("language", "d", { item: "danish" })).values, ["dutch"]);
		const { values, total, hasMore } = await complete("item", "");
		assert.deepEqual([values.length, total, hasMore], [100, 150, true]);
		assert.deepEqual((await complete("toString", "")).values, []);
		await assert.rejects(client.getPrompt({ name: "pitch", arguments: { item: "tea" } }), {
			code: -32602,
			message: /arguments: language: expected a string/,
		});
		await assert.rejects(client.getPrompt({ name: "pich" }), {
			code: -32602,
			message: /expected a prompt of this server, got "pich"; did you mean pitch\?/,
		});
	});

	test(`resources are listed, completed and read ${label}, by URI and by template`, async (t) => {
		const client = await connect(t, mode);
		const { resources } = await client.listResources();
		assert.deepEqual(resources, [
			{ uri: "shop://book", name: "book", mimeType: "text/plain" },
			{ uri: "shop://logo", name: "logo", mimeType: "image/png" },
			{ uri: "shop://ann/orders/1", name: "ann's first" },
		]);
		const { resourceTemplates } = await client.listResourceTemplates();
		assert.deepEqual(resourceTemplates, [
			{ uriTemplate: "shop://{customer}/orders/{order}", name: "order", title: "An order" },
			{ uriTemplate: "shop://files/{+path}", name: "file" },
		]);
		const read = async (uri: string) => (await client.readResource({ uri })).contents;
		assert.deepEqual(await read("shop://logo"), [{ uri: "shop://logo", mimeType: "image/png", blob: "AQL/" }]);
		assert.deepEqual(await read("shop://b%C3%B6b/orders/a%2Fb"), [
			{ uri: "shop://b%C3%B6b/orders/a%2Fb", text: '{"customer":"böb","order":"a/b"}' },
		]);
		assert.deepEqual(await read("shop://files/a/b.txt"), [{ uri: "shop://files/a/b.txt", text: "a/b.txt" }]);
		for (const uri of [
			"shop://ann/orders/0",
			"shop://ann/orders/",
			"shop:///orders/1",
			"shop://ann/orders/1/2",
			"shop://a/b/orders/1",
			"shop://%zz/orders/1",
			"shop://files/",
			"shop://boook",
		]) {
			await assert.rejects(client.readResource({ uri }), /uri: expected a resource of this server/, uri);
		}
		const ref = { type: "ref/resource" as const, uri: "shop://{customer}/orders/{order}" };
		const { completion } = await client.complete({ ref, argument: { name: "customer", value: "b" } });
		assert.deepEqual(completion.values, ["bob"]);
	});

	for (const [entry, args] of [
		["the product's own entry", [SERVER]],
		["the SDK's", [SERVER, "--sdk"]],
	] as const)
		test(`a tool asks its client ${label} over ${entry}: each question once, and works after the last answer`, async (t) => {
			const asked: unknown[] = [];
			const answers: Answers = {
				"elicitation/create": (params) => {
					asked.push(params.message);
					assert.deepEqual(Object.keys(Object(params.requestedSchema)).sort(), ["properties", "required", "type"]);
					return agree(params);
				},
			};
			const transport = new Process(args);
			const client = await connect(t, mode, answers, { transport });
			const logged: unknown[] = [];
			client.setNotificationHandler("notifications/message", ({ params }) => void logged.push(params));
			if (mode === "legacy") await client.setLoggingLevel("info");
			const _meta = mode === "legacy" ? {} : { "io.modelcontextprotocol/logLevel": "info" };
			assert.deepEqual((await client.callTool({ ...SELL, _meta })).content, [
				{ type: "text", text: "tea to Elm, 1 sold" },
			]);
			assert.deepEqual(asked, ["Where to?", "Send tea to Elm?"]);
			assert.deepEqual(logged, [{ level: "warning", logger: "till", data: "sold tea" }]);
			// What it says on stderr may come after its answer.
			const runs = () => transport.said.match(/^run /gm)?.length ?? 0;
			const expected = mode === "legacy" ? 1 : 3;
			await until(() => runs() >= expected, "its runs");
			assert.equal(runs(), expected);
		});

	test(`a tool asks a client over HTTP ${label}`, async (t) => {
		const endpoint = new McpEndpoint(shop);
		const origins = { hosts: LOOPBACK_NAMES, origins: [] };
		const listener = await listen(createFront({ endpoint: () => endpoint, origins }));
		t.after(() => listener.close([endpoint], 0));
		const transport = new StreamableHTTPClientTransport(new URL(`${listener.address}/mcp`));
		const client = await connect(t, mode, { "elicitation/create": agree }, { transport });
		const { content } = await client.callTool(SELL);
		assert.match(JSON.stringify(content), /tea to Elm, \d sold/);
	});

	test(`questions asked together ${label} go out together`, async (t) => {
		const client = await connect(t, mode, {
			"sampling/createMessage": ({ maxTokens }) => {
				assert.equal(maxTokens, 10);
				return { role: "assistant", model: "m1", content: { type: "text", text: "lime" } };
			},
			"roots/list": () => ({ roots: [{ uri: "file:///home", name: "home" }] }),
			"elicitation/create": ({ mode: by, url }) => {
				assert.deepEqual([by, url], ["url", "https://example.com/pay"]);
				return { action: "decline" };
			},
		});
		const { content } = await client.callTool({ name: "survey" });
		const text = '[[{"type":"text","text":"lime"}],"m1",[{"uri":"file:///home","name":"home"}],"decline"]';
		assert.deepEqual(content, [{ type: "text", text }]);
	});

	test(`a no, a client ${label} that cannot be asked, and an answer that is none are told apart`, async (t) => {
		const client = await connect(t, mode, {
			"elicitation/create": ({ message }) =>
				message === "Where to?" ? { action: "accept", content: { street: 7 } } : { action: "cancel" },
		});
		await assert.rejects(client.callTool(SELL), {
			code: -32603,
			message: /the client's answer cannot be read: content: street: expected a string/,
		});
		const twice = await client.callTool({ name: "careless" });
		assert.deepEqual(twice.content, [{ type: "text", text: '[{"action":"cancel"},{"action":"cancel"}]' }]);
		const mute = await connect(t, mode, {}, { capabilities: {} });
		await assert.rejects(mute.callTool(SELL), {
			code: -32021,
			message: "the client does not declare what elicitation/create needs",
			data: { requiredCapabilities: { elicitation: { form: {} } } },
		});
	});
}

test("a worker that dies between two questions is not missed", async (t) => {
	const options = { command: process.execPath, args: ["--disable-warning=ExperimentalWarning", SERVER] };
	const transport = new Process([HOST, JSON.stringify(options)]);
	const killed: number[] = [];
	const answers: Answers = {
		"elicitation/create": async (params) => {
			const living = () =>
				Array.from(transport.said.matchAll(/run (\d+)\n/g), ([, pid]) => Number(pid)).find(
					(pid) => !killed.includes(pid),
				);
			// What it printed may come later than its question.
			await until(() => living() !== undefined, "the worker's word");
			const pid = living() ?? assert.fail();
			killed.push(pid);
			process.kill(pid, "SIGKILL");
			// Once it is reaped the host knows.
			await until(() => !isAlive(pid), "the end of the worker");
			return agree(params);
		},
	};
	const client = await connect(t, { pin: "2026-07-28" }, answers, { transport });
	const { content } = await client.callTool(SELL);
	assert.deepEqual(content, [{ type: "text", text: "tea to Elm, 1 sold" }]);
	assert.equal(new Set(killed).size, 2);
});

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

test("an answer is never taken for that of another question, and mangled state is refused", async () => {
	const client = new RawClient([SERVER]);
	let id = 0;
	const ask = async (item: string, more: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
		const mine = ++id;
		const _meta = { ...MODERN_META, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
		const params = { _meta, name: "sell", arguments: { item }, ...more };
		client.send({ jsonrpc: "2.0", id: mine, method: "tools/call", params });
		const { value } = await client.find((line) => line.value.id === mine);
		return (value.result ?? value.error) as Record<string, unknown>;
	};
	type Asking = { inputRequests: Record<string, { params: { message: string } }>; requestState?: string };
	const first = (await ask("tea")) as Asking;
	const [where = ""] = Object.keys(first.inputRequests);
	assert.equal(first.requestState, undefined);
	const street = { [where]: { action: "accept", content: { street: "Elm" } } };
	const second = (await ask("tea", { inputResponses: street })) as Asking;
	const [consent = ""] = Object.keys(second.inputRequests);
	assert.equal(second.inputRequests[consent]?.params.message, "Send tea to Elm?");
	// Consent to tea is none to gold.
	const agreed = { inputResponses: { [consent]: { action: "accept", content: { yes: true } } } };
	const gold = (await ask("gold", { ...agreed, requestState: second.requestState })) as Asking;
	assert.deepEqual(
		Object.values(gold.inputRequests).map(({ params }) => params.message),
		["Send gold to Elm?"],
	);
	const tea = await ask("tea", { ...agreed, requestState: second.requestState });
	assert.deepEqual(tea.content, [{ type: "text", text: "tea to Elm, 1 sold" }]);
	for (const requestState of ["", "[1]", "null", 7])
		assert.match(
			String((await ask("tea", { requestState })).message),
			/^requestState: expected the state as it was given/,
		);
	assert.match(String((await ask("tea", { inputResponses: [] })).message), /^inputResponses: expected an object/);
	await client.close();
});

test("what falls to no part is passed on, and wrong parameters are named", async () => {
	const client = new RawClient([SERVER]);
	await client.handshake();
	const cases: readonly (readonly [string, unknown, unknown])[] = [
		["resources/subscribe", { uri: "shop://book" }, { asked: "resources/subscribe" }],
		["resources/read", {}, "uri: expected a string, got nothing"],
		["prompts/get", { name: "pitch", arguments: 7 }, "arguments: expected an object, got number"],
		[
			"completion/complete",
			{ ref: {}, argument: { name: "a", value: "" } },
			"ref: expected a prompt by its name or a template of resources by its uri, got object",
		],
		["completion/complete", { argument: { name: "a" } }, "argument.value: expected a string, got nothing"],
		[
			"logging/setLevel",
			{ level: "loud" },
			'level: expected one of debug, info, notice, warning, error, critical, alert, emergency, got "loud"',
		],
	];
	for (const [id, [method, params, expected]] of cases.entries()) {
		client.send({ jsonrpc: "2.0", id, method, params });
		const { value } = await client.find((line) => line.value.id === id);
		assert.deepEqual(value.result ?? (value.error as { message: string }).message, expected);
	}
	// The eras have different codes for it.
	for (const [id, _meta, code] of [
		["legacy", {}, -32002],
		["modern", MODERN_META, -32602],
	] as const) {
		client.send({ jsonrpc: "2.0", id, method: "resources/read", params: { _meta, uri: "shop://nothing" } });
		const { value } = await client.find((line) => line.value.id === id);
		const message = 'uri: expected a resource of this server, got "shop://nothing"';
		const data = { code: "NOT_FOUND", message, uri: "shop://nothing" };
		assert.deepEqual(value.error, { code, message, data });
	}
	await client.close();
});

test("parts that no client could tell apart or be shown are refused when they are made", () => {
	const info = { name: "a", version: "1" };
	const book = resource({ uri: "a://b", name: "b", read: () => "" });
	assert.throws(() => mcpServer({ info, resources: [book, book] }), {
		message: 'resources: expected URIs that differ, got "a://b" twice',
	});
	const hello = prompt({ name: "hello", run: () => "" });
	assert.throws(() => mcpServer({ info, prompts: [hello, hello] }), {
		message: 'prompts: expected names that differ, got "hello" twice',
	});
	for (const uri of ["a://{}", "a://{?q}", "a://{a}{", "a://}", "a://{a,b}"])
		assert.throws(() => resource({ uri, name: "b", read: () => "" }), {
			message: `uri: expected variables as {name} or {+name}, got ${JSON.stringify(uri)}`,
		});
	assert.throws(() => resource({ uri: "book", name: "b", read: () => "" }), {
		message: 'uri: expected a URI, got "book"',
	});
	assert.deepEqual(mcpServer({ info }).description.capabilities, { logging: {} });
	for (const kind of ["tool", "prompt", "resource"] as const) {
		// What a server in JavaScript may pass.
		const described = { info, [`${kind}s`]: [{ name: "hello", run: () => "" }] };
		assert.throws(() => mcpServer(described as never), {
			message: `${kind}s: expected what ${kind}() returns, got object`,
		});
	}
});

test("a prompt or resource that replies with what none can be is named to the author", async () => {
	// What a server in JavaScript may reply, in a context that is not used.
	const [wrong, context] = [7 as never, {} as never];
	await assert.rejects(prompt({ name: "hello", run: () => wrong }).get({}, context), {
		message: 'prompt "hello": run: expected text or a list of messages, got number',
	});
	await assert.rejects(
		async () => resource({ uri: "a://b", name: "b", read: () => wrong }).reader("a://b")?.(context),
		{
			message: 'resource "b": read: expected text, bytes or a list of contents, got number',
		},
	);
});

test("a tool may withdraw a question that takes too long, and the client is told", async () => {
	const source = JSON.stringify(new URL("../../src/index.ts", import.meta.url).href);
	const code = `
		const { mcpServer, serveStdio, tool } = await import(${source});
		const run = (_input, { request }) =>
			request("roots/list", {}, AbortSignal.timeout(50)).then(() => "answered", () => "withdrawn");
		serveStdio(mcpServer({ info: { name: "hasty", version: "1" }, tools: [tool({ name: "hasty", run })] }));
	`;
	const client = new RawClient(["--input-type=module", "-e", code]);
	await client.handshake();
	client.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "hasty" } });
	const question = await client.find(({ value }) => value.method === "roots/list");
	const answer = await client.find(({ value }) => value.id === 1 && value.method === undefined);
	assert.match(answer.text, /"withdrawn"/);
	const { value } = await client.find((line) => line.value.method === "notifications/cancelled");
	assert.equal((value.params as { requestId?: unknown }).requestId, question.value.id);
	await client.close();
});

test("the compiler knows the variables of a template and the arguments of a prompt", () => {
	resource({ uri: "a://{b}/{+c}", name: "", read: ({ b, c }) => b + c, complete: { c: () => [] } });
	// @ts-expect-error a variable that the template has not
	resource({ uri: "a://{b}", name: "", read: ({ d }) => d });
	// @ts-expect-error completions of a variable that the template has not
	resource({ uri: "a://{b}", name: "", read: () => "", complete: { d: () => [] } });
	// @ts-expect-error no content
	resource({ uri: "a://b", name: "", read: () => 7 });
	const input = fields<{ item: string }>({ item: "string" });
	prompt({ name: "", input, run: ({ item }) => item, complete: { item: () => [] } });
	// @ts-expect-error an argument that the input has not
	prompt({ name: "", input, run: ({ thing }) => thing });
	// @ts-expect-error completions of an argument that the input has not
	prompt({ name: "", input, run: () => "", complete: { thing: () => [] } });
	// @ts-expect-error no role of a message
	prompt({ name: "", run: () => [{ role: "system", content: { type: "text", text: "" } }] });
	// @ts-expect-error no capability
	mcpServer({ info: { name: "", version: "" }, capabilities: { resource: {} } });
});
