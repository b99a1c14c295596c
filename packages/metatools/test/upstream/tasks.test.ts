import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Session } from "libmcp";
import { until } from "../../../../e2e/until.ts";
import { loadDefaultConfig } from "../../src/config/load.ts";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import { LOCAL_VIEWER } from "../../src/run/access.ts";
import type { ToolProgress } from "../../src/run/backend.ts";
import { createGateway } from "../../src/server/createGateway.ts";
import { createDispatcher } from "../../src/server/serving/dispatcher.ts";
import { callAsTask } from "../../src/upstream/calls/taskCall.ts";
import { readFailure } from "../../src/upstream/failure/failure.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { cafeSpec } from "../fixtures/cafe.ts";
import { type TestGateway, testContext, testGateway, texts } from "../fixtures/gateway.ts";

const options = { timeout: 120_000 };

/** A gateway before a server of the official SDK that runs its tools as tasks only. */
async function cafe(t: TestContext, own: object = {}): Promise<TestGateway & { readonly journal: () => string }> {
	const folder = mkdtempSync(join(tmpdir(), "metatools-tasks-"));
	const journal = join(folder, "journal");
	const demo = await testGateway({ openTransport, config: { servers: [cafeSpec(journal)] }, ...own });
	t.after(async () => {
		await demo.stop();
		rmSync(folder, { recursive: true, force: true });
	});
	return { ...demo, journal: () => readFileSync(journal, "utf8") };
}

test("a tool that runs only as a task is run, and its states are reported as progress", options, async (t) => {
	const { data, notifications, journal } = await cafe(t);
	const ran = await data("run_tool", { tool_id: "cafe:brew", args: {}, timeout_ms: 20_000 }, { progressToken: "p" });
	assert.equal(ran.structured, "coffee");
	const said = notifications.map(({ params }) => params.message);
	assert.deepEqual([...new Set(said)], ["started", "grinding", "pouring"]);
	const [, ttl] = /ttl (\d+)\n/.exec(journal()) ?? [];
	assert(Number(ttl) > 20_000 && Number(ttl) <= 80_000, `kept beyond the deadline, but not for ever: ${ttl}`);
});

test("what a task reports itself is passed on with its numbers, also of two at once", options, async (t) => {
	const { gateway, log } = await cafe(t);
	const { signal } = new AbortController();
	const steep = async (): Promise<unknown[]> => {
		const heard: unknown[] = [];
		const onProgress = (update: ToolProgress) => void heard.push(update);
		const run = { toolId: "cafe:steep", args: {}, viewer: LOCAL_VIEWER, signal, timeoutMs: 20_000 };
		assert.equal((await gateway.runner.run({ ...run, onProgress })).structured, "tea");
		return heard;
	};
	for (const heard of await Promise.all([steep(), steep()])) {
		assert.deepEqual(heard, [
			{ progress: 0.01, message: "steeping" },
			{ progress: 10, total: 30, message: "minute 1" },
			{ progress: 20, total: 30, message: "steeping" },
			{ progress: 30, total: 30, message: "minute 3" },
		]);
	}
	assert.deepEqual(log, []);
});

test("a chain and a snippet run such tools too", options, async (t) => {
	const { data, gateway } = await cafe(t);
	const chain = await data("run_chain", {
		steps: [{ tool_id: "cafe:brew" }, { tool_id: "local:ping" }],
	});
	assert.deepEqual(
		(chain.results as JsonObject[]).map(({ structured }) => structured),
		["coffee", { message: "pong" }],
	);
	const coding = createGateway(
		{ ...loadDefaultConfig(), servers: gateway.upstreams.all.map(({ spec }) => spec) },
		{ openTransport },
	);
	t.after(() => coding.stop());
	coding.start();
	const result = await createDispatcher(coding)(
		"tools/call",
		{
			name: "execute_code",
			arguments: { language: "javascript", code: 'await tools.call("cafe:brew", {})', timeout_ms: 50_000 },
		},
		testContext([]),
	);
	assert(isObject(result));
	assert.equal(texts(result), "coffee");
});

test("a task that fails gives the server's own words", options, async (t) => {
	const { error } = await cafe(t);
	const spilt = await error("run_tool", { tool_id: "cafe:spill" });
	assert.deepEqual([spilt.code, spilt.message], ["execution_failed", "the cup broke"]);
	const gone = await error("run_tool", { tool_id: "cafe:vanish" });
	assert.deepEqual([gone.code, gone.message], ["execution_failed", "the kitchen burnt down"]);
});

test("a task is cancelled when its caller cancels, and when its time is up", options, async (t) => {
	const { call, error, journal } = await cafe(t);
	const late = await error("run_tool", { tool_id: "cafe:endless", timeout_ms: 500 });
	assert.equal(late.code, "timeout");
	await until(() => journal().includes("cancelled"));
	const controller = new AbortController();
	const running = call("run_tool", { tool_id: "cafe:endless" }, { signal: controller.signal });
	await until(() => journal().match(/create/g)?.length === 2);
	controller.abort();
	const result = await running;
	assert(isObject(result.structuredContent) && isObject(result.structuredContent.error));
	assert.equal(result.structuredContent.error.code, "cancelled");
	await until(() => journal().match(/cancelled/g)?.length === 2);
});

test("a server that wants to be asked less often than there is time is asked in time", options, async (t) => {
	const { data } = await cafe(t);
	const ran = await data("run_tool", { tool_id: "cafe:seldom", timeout_ms: 4_000 });
	assert.equal(ran.structured, "done long before the next look");
});

test("a task's question reaches the caller of that task among several", options, async (t) => {
	const { gateway } = await cafe(t);
	const dispatch = createDispatcher(gateway);
	const everybody = Promise.withResolvers<void>();
	const asked: JsonObject[] = [];
	const answers = ["milk", "honey", "lemon"].map(async (sugar) => {
		const session: Session = {
			id: sugar,
			client: undefined,
			notify: () => {},
			request: () => Promise.reject(new Error("asked outside a call")),
			ended: new AbortController().signal,
			notes: new Map(),
		};
		const result = await dispatch(
			"tools/call",
			{ name: "run_tool", arguments: { tool_id: "cafe:taste" } },
			{
				...testContext([]),
				session,
				client: { protocolVersion: "2025-11-25", capabilities: { elicitation: {} } },
				async request(_method, params = {}) {
					asked.push(params);
					if (asked.length === 3) everybody.resolve();
					await everybody.promise;
					return { action: "accept", content: { sugar } };
				},
			},
		);
		assert(isObject(result));
		return texts(result);
	});
	assert.deepEqual(await Promise.all(answers), ["with milk", "with honey", "with lemon"]);
	for (const params of asked) assert(!("_meta" in params), "the task is nothing to the caller's client");
});

test("a task that is lost with its server may have taken effect, and the caller is told", options, async (t) => {
	const { error, journal } = await cafe(t);
	const lost = await error("run_tool", { tool_id: "cafe:scald", timeout_ms: 20_000 });
	assert.equal(lost.retryable, false);
	assert.match(String(lost.message), /may or may not have taken effect/);
	assert(isObject(lost.details));
	assert.deepEqual(lost.details.fault, { class: "ambiguous_outcome", code: "outcome_unknown" });
	assert.equal(journal().match(/create scald/g)?.length, 1);
});

test("a task of a tool declared safe that is lost with its server is begun again", options, async (t) => {
	const { data, journal } = await cafe(t);
	const ran = await data("run_tool", { tool_id: "cafe:decant", timeout_ms: 20_000 });
	assert.equal(ran.structured, "decaf");
	assert.equal(journal().match(/create decant/g)?.length, 2);
});

test("the time to keep a task is a whole number, since many servers accept no other", async () => {
	const sent: unknown[] = [];
	await callAsTask({
		async send(_method, { task }) {
			sent.push(task);
			return { content: [] };
		},
		params: { name: "pay", arguments: {} },
		signal: new AbortController().signal,
		deadline: Date.now() + 5_000.25,
		canCancel: true,
		onTask: () => {},
		onState: () => {},
	});
	const [task] = sent;
	assert(isObject(task) && Number.isInteger(task.ttl), JSON.stringify(sent));
});

test("a connection lost after the task began does not count as a call that never ran", async () => {
	const sent: string[] = [];
	const running = callAsTask({
		async send(method) {
			sent.push(method);
			if (method === "tools/call") return { task: { taskId: "t", status: "working", pollInterval: 1 } };
			throw Object.assign(new Error("nobody listens"), { code: "ECONNREFUSED" });
		},
		params: { name: "pay", arguments: {} },
		signal: new AbortController().signal,
		deadline: Date.now() + 5_000,
		canCancel: true,
		onTask: () => {},
		onState: () => {},
	});
	await assert.rejects(running, (thrown) => {
		assert.deepEqual(readFailure(thrown), { kind: "lost", undone: false, message: "nobody listens" });
		return true;
	});
	assert.deepEqual(sent, ["tools/call", "tasks/get"]);
});
