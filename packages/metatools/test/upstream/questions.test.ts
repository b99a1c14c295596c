import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "libmcp";
import { createFront, LOOPBACK_NAMES, listen, McpEndpoint } from "libmcp/http";
import { bundled } from "../../../../e2e/bundled.ts";
import { until } from "../../../../e2e/until.ts";
import {
	EVERYTHING as EVERYTHING_DESCRIPTION,
	everythingDispatcher,
} from "../../../libmcp/test/fixtures/everything.ts";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import { createDispatcher } from "../../src/server/serving/dispatcher.ts";
import { askForAnswer, callWithInput } from "../../src/upstream/calls/questions.ts";
import type { HttpSpec, Protocol, StdioSpec } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { COMPILED } from "../fixtures/compileCache.ts";
import { testContext, testGateway } from "../fixtures/gateway.ts";
import { newSession } from "../fixtures/newSession.ts";

const EVERYTHING = await bundled(new URL("../../../libmcp/test/fixtures/everythingStdio.ts", import.meta.url));

const COMMON = { name: "every", namespace: "every", elicitation: true } as const;

type Asked = {
	readonly method: string;
	readonly params: JsonObject;
	readonly session: Session;
	readonly withdrawn: AbortSignal | undefined;
};

/** A gateway before the everything server, and callers whose client answers what it is asked. */
async function asking(to: Protocol | HttpSpec, answer: (asked: Asked) => Promise<unknown>) {
	const program = (protocol: Protocol): StdioSpec => ({
		...COMMON,
		kind: "stdio",
		protocol,
		command: process.execPath,
		args: [EVERYTHING],
		env: COMPILED,
	});
	const spec = typeof to === "string" ? program(to) : to;
	const demo = await testGateway({ openTransport, config: { servers: [spec] } });
	const dispatch = createDispatcher(demo.gateway);
	const run = async (tool: string, canBeAsked: boolean, session: Session = newSession()): Promise<unknown> => {
		const capabilities = canBeAsked ? { elicitation: {} } : {};
		const result = await dispatch(
			"tools/call",
			{ name: "run_tool", arguments: { tool_id: `every:${tool}`, args: {} } },
			{
				...testContext([]),
				session,
				client: { protocolVersion: "2025-11-25", capabilities },
				request: (method, params = {}, withdrawn) => answer({ method, params, session, withdrawn }),
			},
		);
		assert(isObject(result) && isObject(result.structuredContent), JSON.stringify(result));
		return result.structuredContent.structured ?? result.structuredContent.error;
	};
	return { run, stop: () => demo.stop() };
}

test("a server's question in the middle of a call goes to whoever called, and what is left empty stays empty", {
	timeout: 120_000,
}, async (t) => {
	const asked: string[] = [];
	const { run, stop } = await asking("legacy", async ({ method, params }) => {
		asked.push(`${method} ${String(params.message)}`);
		return { action: "accept", content: { name: "Ada" } };
	});
	t.after(stop);
	assert.equal(
		await run("test_elicitation_sep1034_defaults", true),
		'Elicitation completed: action=accept, content={"name":"Ada"}',
	);
	assert.deepEqual(asked, ["elicitation/create Defaults"]);
	assert.equal(
		await run("test_elicitation_sep1034_defaults", false),
		"Elicitation completed: action=cancel, content={}",
		"a client that cannot be asked is not",
	);
	assert.equal(asked.length, 1);
});

test("with calls of two callers under way nobody is asked another's question", { timeout: 120_000 }, async (t) => {
	const first = Promise.withResolvers<unknown>();
	let asked = 0;
	const { run, stop } = await asking("legacy", () => {
		asked++;
		return first.promise;
	});
	t.after(stop);
	const waiting = run("test_elicitation_sep1034_defaults", true);
	await until(() => asked === 1);
	assert.equal(
		await run("test_elicitation_sep1034_defaults", true),
		"Elicitation completed: action=cancel, content={}",
	);
	first.resolve({ action: "decline" });
	assert.equal(await waiting, "Elicitation completed: action=decline, content={}");
	assert.equal(asked, 1);
});

test("a caller with two calls under way is asked what either of them needs", { timeout: 120_000 }, async (t) => {
	const first = Promise.withResolvers<unknown>();
	let asked = 0;
	const { run, stop } = await asking("legacy", () =>
		++asked === 1 ? first.promise : Promise.resolve({ action: "accept" }),
	);
	t.after(stop);
	const session = newSession();
	const waiting = run("test_elicitation_sep1034_defaults", true, session);
	await until(() => asked === 1);
	assert.match(String(await run("test_elicitation_sep1034_defaults", true, session)), /action=accept/);
	first.resolve({ action: "decline" });
	assert.equal(await waiting, "Elicitation completed: action=decline, content={}");
});

test("a question whose server is gone is withdrawn", { timeout: 120_000 }, async () => {
	const opened = Promise.withResolvers<AbortSignal | undefined>();
	const { run, stop } = await asking("legacy", ({ withdrawn }) => {
		opened.resolve(withdrawn);
		return new Promise(() => {});
	});
	const ended = run("test_elicitation_sep1034_defaults", true);
	const withdrawn = await opened.promise;
	await stop();
	assert.equal(withdrawn?.aborted, true);
	await ended;
});

test("over HTTP each caller is asked what its own call needs, however many are under way", {
	timeout: 120_000,
}, async (t) => {
	const endpoint = new McpEndpoint({
		dispatcher: everythingDispatcher({ notify: () => {} }),
		description: EVERYTHING_DESCRIPTION,
	});
	const front = createFront({ endpoint: () => endpoint, origins: { hosts: LOOPBACK_NAMES, origins: [] } });
	const listener = await listen(front);
	t.after(() => listener.close([endpoint], 0));
	const spec: HttpSpec = { ...COMMON, kind: "http", protocol: "legacy", url: `${listener.address}/mcp`, headers: {} };
	const everybody = Promise.withResolvers<void>();
	let asked = 0;
	const { run, stop } = await asking(spec, async ({ session }) => {
		if (++asked === 3) everybody.resolve();
		await everybody.promise;
		return { action: "accept", content: { name: session.id } };
	});
	t.after(stop);
	const callers = ["Ada", "Grace", "Edith"];
	const answers = await Promise.all(
		callers.map((name) => run("test_elicitation_sep1034_defaults", true, newSession(name))),
	);
	for (const [n, answer] of answers.entries()) assert.match(String(answer), new RegExp(`"name":"${callers[n]}"`));
	assert.equal(asked, 3);
});

test("a server that asks by its answer gets the call again with the person's word", { timeout: 120_000 }, async (t) => {
	const { run, stop } = await asking("modern", async () => ({ action: "accept", content: { name: "Ada" } }));
	t.after(stop);
	assert.equal(await run("test_input_required_result_elicitation", true), "Hello, Ada!");
});

test("a call is sent again with its state as it was given out, without one where none was, and not for ever", async () => {
	const sent: unknown[] = [];
	const question = { method: "elicitation/create", params: { message: "Sure?" } };
	const state = ' {"b":1, "a":2} ';
	const answers = [
		{ resultType: "input_required", inputRequests: { sure: question }, requestState: state },
		{ resultType: "input_required", inputRequests: { again: question } },
		{ content: [] },
	];
	const send = async (input: unknown): Promise<unknown> => {
		sent.push(input);
		return answers[sent.length - 1];
	};
	assert.deepEqual(await callWithInput(send, async () => ({ action: "decline" })), { content: [] });
	assert.deepEqual(sent, [
		{},
		{ inputResponses: { sure: { action: "decline" } }, requestState: state },
		{ inputResponses: { again: { action: "decline" } } },
	]);
	const always = async () => ({ resultType: "input_required", inputRequests: { sure: question } });
	await assert.rejects(callWithInput(always, undefined), /asked for input 10 times/);
	const other = async () => ({ resultType: "input_required", inputRequests: { x: { method: "roots/list" } } });
	await assert.rejects(callWithInput(other, undefined), /needs roots\/list/);
});

test("what a client answers is taken as far as a form can be", async () => {
	const form = {
		requestedSchema: { properties: { colour: { type: "string", default: "red" }, bad: { default: {} }, any: true } },
	};
	const accept = (content: unknown) => askForAnswer(async () => ({ action: "accept", content }), form);
	assert.deepEqual(await accept({ colour: "blue" }), { action: "accept", content: { colour: "blue" } });
	assert.deepEqual(await accept("nonsense"), { action: "accept", content: { colour: "red" } });
	assert.deepEqual(await accept({ nested: { a: 1 }, list: ["a"] }), {
		action: "accept",
		content: { list: ["a"] },
	});
	const polluting = await accept(JSON.parse('{"__proto__": ["x"]}'));
	assert.equal(Object.getPrototypeOf(polluting.content), Object.prototype);
	assert.deepEqual(await askForAnswer(async () => "nonsense", form), { action: "cancel" });
	assert.deepEqual(await askForAnswer(undefined, form), { action: "cancel" });
});
