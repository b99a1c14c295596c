import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createFront, LOOPBACK_NAMES, listen, McpEndpoint } from "libmcp/http";
import { passthrough } from "metatools";
import { bundled } from "../../../../e2e/bundled.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import {
	EVERYTHING as EVERYTHING_DESCRIPTION,
	everythingDispatcher,
	toolSchema,
} from "../../../libmcp/test/fixtures/everything.ts";
import { ALLOW, HIDE } from "../../src/run/access.ts";
import type { Protocol } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { COMPILED } from "../fixtures/compileCache.ts";

const LIBMCP = new URL("../../../libmcp/test/", import.meta.url);
const EVERYTHING = await bundled(new URL("fixtures/everythingStdio.ts", LIBMCP));
const ECHO = await bundled(new URL("server/fixtures/echoServer.ts", LIBMCP));
const ERAS = ["legacy", "modern"] as const;
type Era = (typeof ERAS)[number];

type Through = { readonly url: string; stderr(): string };

/** The fixture behind the gateway, spoken to in the era named. */
async function through(script: string, protocol: Protocol, hidden?: string): Promise<Through> {
	let stderr = "";
	const { endpoint, close } = passthrough({
		spec: {
			kind: "stdio",
			name: "fixture",
			namespace: "fixture",
			protocol,
			command: process.execPath,
			args: [script],
			env: COMPILED,
		},
		open: (spec, events) =>
			openTransport(spec, {
				...events,
				onStderr: (line) => {
					stderr += `${line}\n`;
				},
			}),
		offered: (tools) =>
			tools.map((definition) => (definition.name === hidden ? { kind: "hide" } : { kind: "allow", definition })),
		runnable: (tool) => (tool === hidden ? HIDE : ALLOW),
	});
	const listener = await listen(
		createFront({
			endpoint: (path) => (path === "/mcp/fixture" ? endpoint : undefined),
			origins: { hosts: LOOPBACK_NAMES, origins: [] },
		}),
	);
	after(async () => {
		await listener.close([endpoint], 0);
		await close();
	});
	return { url: `${listener.address}/mcp/fixture`, stderr: () => stderr };
}

/** A client of that era with one root of its own, that answers questions by its name. */
async function connect(url: string, era: Era, name = "client"): Promise<Client> {
	const client = new Client(
		{ name, version: "1.0.0" },
		{
			capabilities: { roots: {}, sampling: {}, elicitation: { form: {} } },
			versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } },
		},
	);
	client.setRequestHandler("roots/list", () => ({ roots: [{ uri: `file:///${name}` }] }));
	client.setRequestHandler("sampling/createMessage", () => ({
		role: "assistant",
		model: "m",
		content: { type: "text", text: `sampled by ${name}` },
	}));
	client.setRequestHandler("elicitation/create", () => ({
		action: "accept",
		content: { username: name, email: "e@example.org", name, ok: true, color: "red" },
	}));
	await client.connect(new StreamableHTTPClientTransport(new URL(url)));
	after(() => client.close());
	return client;
}

function textOf(result: { content?: unknown }): string {
	return JSON.stringify(result.content);
}

for (const upstream of ERAS) {
	for (const era of ERAS) {
		const label = `a ${era} client on a ${upstream} server`;
		test(`${label}: tools, resources, prompts, completion and progress`, { timeout: 120_000 }, async () => {
			const client = await connect((await through(EVERYTHING, upstream)).url, era);
			assert.equal(client.getServerVersion()?.name, "everything");
			assert.ok(
				(await client.listTools()).tools.some((tool) => tool.name === "test_simple_text"),
				"unprefixed",
			);
			assert.match(textOf(await client.callTool({ name: "echo", arguments: { text: "é\u2028" } })), /é/);
			const read = await client.readResource({ uri: "test://static-text" });
			assert.match(JSON.stringify(read.contents), /content of the static text resource/);
			const prompt = await client.getPrompt({
				name: "test_prompt_with_arguments",
				arguments: { arg1: "x", arg2: "y" },
			});
			assert.match(JSON.stringify(prompt.messages), /arg1='x', arg2='y'/);
			const completed = await client.complete({
				ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
				argument: { name: "arg1", value: "pa" },
			});
			assert.ok(completed.completion.values.includes("paris"));
			const seen: number[] = [];
			await client.callTool({ name: "test_tool_with_progress" }, { onprogress: ({ progress }) => seen.push(progress) });
			assert.deepEqual(seen, [0, 50, 100]);
			await assert.rejects(client.readResource({ uri: "test://nothing" }), /Resource not found/);
		});
	}
}

verifies(
	"004-transport-selection-streamable-bidirectional",
	"a server behind the gateway asks a client with a session, and its notifications reach it",
	async () => {
		const client = await connect((await through(EVERYTHING, "legacy")).url, "legacy", "asked");
		assert.match(
			textOf(await client.callTool({ name: "test_sampling", arguments: { prompt: "p" } })),
			/LLM response: sampled by asked/,
		);
		assert.match(
			textOf(await client.callTool({ name: "test_elicitation", arguments: { message: "m" } })),
			/action=accept.*asked/,
		);
		const changed = new Promise<void>((resolve) =>
			client.setNotificationHandler("notifications/tools/list_changed", () => resolve()),
		);
		await client.callTool({ name: "test_trigger_tool_change" });
		await changed;
	},
	{ timeout: 120_000 },
);

test("questions of a server with a handshake become input_required rounds for a client without one", {
	timeout: 120_000,
}, async () => {
	const client = await connect((await through(EVERYTHING, "legacy")).url, "modern", "rounds");
	assert.match(
		textOf(await client.callTool({ name: "test_sampling", arguments: { prompt: "p" } })),
		/sampled by rounds/,
	);
	assert.match(
		textOf(await client.callTool({ name: "test_elicitation", arguments: { message: "m" } })),
		/action=accept.*rounds/,
	);
});

test("input_required rounds of a server without a handshake become questions to a client with one", {
	timeout: 120_000,
}, async () => {
	const client = await connect((await through(EVERYTHING, "modern")).url, "legacy", "direct");
	assert.match(
		textOf(await client.callTool({ name: "test_input_required_result_multiple_inputs" })),
		/all three arrived/,
	);
	assert.match(textOf(await client.callTool({ name: "test_input_required_result_multi_round" })), /both rounds done/);
	const prompt = await client.getPrompt({ name: "test_prompt_with_image" });
	assert.equal(prompt.messages.length, 2);
});

for (const era of ERAS) {
	test(`a question goes to the ${era} client whose call caused it`, { timeout: 120_000 }, async () => {
		const { url } = await through(ECHO, "legacy");
		const clients = await Promise.all(["one", "two", "three"].map((name) => connect(url, era, name)));
		for (let round = 0; round < 3; round++) {
			const answers = await Promise.all(clients.map((client) => client.callTool({ name: "ask" })));
			assert.deepEqual(
				answers.map((answer) => /file:\/\/\/(\w+)/.exec(textOf(answer))?.[1]),
				["one", "two", "three"],
			);
		}
	});

	for (const upstream of ERAS) {
		test(`a cancel of a ${era} client reaches a ${upstream} server`, { timeout: 120_000 }, async () => {
			const { url, stderr } = await through(ECHO, upstream);
			const client = await connect(url, era);
			const abort = new AbortController();
			const call = client.callTool({ name: "slow" }, { signal: abort.signal });
			while (!stderr().includes("slow started")) await new Promise((resolve) => setTimeout(resolve, 20));
			abort.abort();
			await assert.rejects(call);
			while (!stderr().includes("slow aborted")) await new Promise((resolve) => setTimeout(resolve, 20));
			assert.match(textOf(await client.callTool({ name: "echo", arguments: { text: "after" } })), /after/);
		});
	}
}

/** The fixture as a server on an address, behind the gateway. */
async function throughHttp(protocol: Protocol): Promise<string> {
	const server: McpEndpoint = new McpEndpoint({
		dispatcher: everythingDispatcher({ notify: (method, params) => server.notify(method, params) }),
		description: EVERYTHING_DESCRIPTION,
		toolSchema,
	});
	const origins = { hosts: LOOPBACK_NAMES, origins: [] };
	const behind = await listen(createFront({ endpoint: (path) => (path === "/mcp" ? server : undefined), origins }));
	const { endpoint, close } = passthrough({
		spec: { kind: "http", name: "remote", namespace: "remote", protocol, url: `${behind.address}/mcp`, headers: {} },
		open: openTransport,
	});
	const listener = await listen(
		createFront({ endpoint: (path) => (path === "/mcp/remote" ? endpoint : undefined), origins }),
	);
	after(async () => {
		await listener.close([endpoint], 0);
		await close();
		await behind.close([server], 0);
	});
	return `${listener.address}/mcp/remote`;
}

test("a client that goes while its server still starts leaves no call running", { timeout: 120_000 }, async () => {
	const { url, stderr } = await through(ECHO, "legacy");
	const client = await connect(url, "modern");
	const abort = new AbortController();
	const call = client.callTool({ name: "slow" }, { signal: abort.signal });
	abort.abort();
	await assert.rejects(call);
	assert.match(textOf(await client.callTool({ name: "echo", arguments: { text: "after" } })), /after/);
	const started = stderr().split("slow started").length - 1;
	while (stderr().split("slow aborted").length - 1 < started) await new Promise((resolve) => setTimeout(resolve, 20));
});

for (const upstream of ["auto", "legacy", "modern"] as const) {
	for (const era of ERAS) {
		test(`a ${era} client on a server reached over HTTP, ${upstream}`, { timeout: 120_000 }, async () => {
			const client = await connect(await throughHttp(upstream), era, "remote");
			assert.match(textOf(await client.callTool({ name: "echo", arguments: { text: "far" } })), /far/);
			assert.match(JSON.stringify((await client.readResource({ uri: "test://static-text" })).contents), /static text/);
			await client.listTools();
			const routed = await client.callTool({
				name: "test_header_argument",
				arguments: { region: "zürich ", level: 3 },
			});
			assert.match(textOf(routed), /region zürich /, "repeated in headers where the era wants it");
			const seen: number[] = [];
			await client.callTool({ name: "test_tool_with_progress" }, { onprogress: ({ progress }) => seen.push(progress) });
			assert.deepEqual(seen, [0, 50, 100]);
			const asks = era === "legacy" || upstream === "legacy" ? "test_sampling" : "test_input_required_result_sampling";
			if (era === "legacy" && upstream === "modern") {
				assert.match(
					textOf(await client.callTool({ name: "test_input_required_result_sampling" })),
					/sampled by remote/,
				);
			} else
				assert.match(textOf(await client.callTool({ name: asks, arguments: { prompt: "p" } })), /sampled by remote/);
			await assert.rejects(client.callTool({ name: "nothing" }), /Unknown tool: nothing/);
		});
	}
}

const WATCHED = "test://watched-resource";

for (const upstream of ERAS) {
	for (const era of ERAS) {
		test(`a ${era} client hears of a changed resource and a changed list on a ${upstream} server`, {
			timeout: 120_000,
		}, async () => {
			const { url } = await through(EVERYTHING, upstream);
			const client = await connect(url, era);
			const heard = new Set<string>();
			client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.add(params.uri));
			client.setNotificationHandler("notifications/tools/list_changed", () => void heard.add("tools"));
			if (era === "legacy") await client.subscribeResource({ uri: WATCHED });
			else await client.listen({ toolsListChanged: true, resourceSubscriptions: [WATCHED] });
			// A watch is passed on to the server behind; until it has arrived there a change goes unnoticed.
			const deadline = performance.now() + 30_000;
			while (heard.size < 2 && performance.now() < deadline) {
				await client.callTool({ name: "test_touch_resource", arguments: { uri: WATCHED } });
				await client.callTool({ name: "test_trigger_tool_change" });
				await new Promise((resolve) => setTimeout(resolve, 100));
			}
			assert.deepEqual([...heard].sort(), [WATCHED, "tools"].sort());
		});
	}
}

test("a tool the caller may not see is neither listed nor runnable", { timeout: 120_000 }, async () => {
	const client = await connect((await through(ECHO, "legacy", "echo")).url, "legacy");
	assert.ok(!(await client.listTools()).tools.some((tool) => tool.name === "echo"));
	await assert.rejects(client.callTool({ name: "echo" }), /Unknown tool: echo/);
});

test("only the call that was asked goes on by its state", { timeout: 120_000 }, async () => {
	const { url } = await through(EVERYTHING, "legacy");
	const meta = {
		"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": { sampling: {} },
	};
	const post = async (extra: Record<string, unknown>): Promise<Record<string, unknown>> => {
		const response = await fetch(url, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				"mcp-protocol-version": "2026-07-28",
				"mcp-method": "tools/call",
				"mcp-name": "test_sampling",
			},
			body: JSON.stringify({
				jsonrpc: "2.0",
				id: 1,
				method: "tools/call",
				params: { name: "test_sampling", arguments: { prompt: "p" }, _meta: meta, ...extra },
			}),
		});
		return (await response.json()) as Record<string, unknown>;
	};
	const forged = await post({ requestState: "guess", inputResponses: { input: {} } });
	assert.equal((forged.error as { code: number }).code, -32602);
	const { result } = (await post({})) as { result: { resultType: string; requestState: string } };
	assert.equal(result.resultType, "input_required");
	const answer = { role: "assistant", model: "m", content: { type: "text", text: "mine" } };
	const other = { requestState: result.requestState, inputResponses: { input: answer }, arguments: { prompt: "q" } };
	assert.match(JSON.stringify((await post(other)).error), /-32602.*requestState: belongs to another call/);
	const done = await post({ requestState: result.requestState, inputResponses: { input: answer } });
	assert.match(JSON.stringify(done), /LLM response: mine/);
	const again = await post({ requestState: result.requestState, inputResponses: { input: answer } });
	assert.equal((again.error as { code: number }).code, -32602, "a state is good once");
});
