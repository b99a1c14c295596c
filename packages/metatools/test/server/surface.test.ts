import assert from "node:assert/strict";
import { test } from "node:test";
import { contractOf, effectOfTool } from "libmcp";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { loadDefaultConfig } from "../../src/config/load.ts";
import type { CodeEngine } from "../../src/contract/codeEngine.ts";
import { contracts } from "../../src/contracts.ts";
import { createDispatcher } from "../../src/server/serving/dispatcher.ts";
import { testContext, testGateway, texts } from "../fixtures/gateway.ts";
import { inProcessPeers } from "../fixtures/inProcess.ts";

const ENGINE: CodeEngine = {
	name: "test",
	languages: ["javascript", "typescript"],
	execute: async ({ code }, tools) => ({
		value: await tools.call("demo:echo", { text: code }, new AbortController().signal),
		stdout: "",
		stderr: "",
		durationMs: 1,
		toolCalls: [],
	}),
};

type Declared = {
	name: string;
	inputSchema: Record<string, unknown>;
	outputSchema: Record<string, unknown>;
	_meta: Record<string, unknown>;
};

async function listed(gateway: Parameters<typeof createDispatcher>[0]): Promise<Declared[]> {
	return ((await createDispatcher(gateway)("tools/list", {}, testContext([]))) as { tools: Declared[] }).tools;
}

test("the metatools are these, in this order", async (t) => {
	const demo = await testGateway({ codeEngine: ENGINE });
	t.after(() => demo.stop());
	assert.deepEqual(
		(await listed(demo.gateway)).map((tool) => tool.name),
		[
			"search_tools",
			"list_tools",
			"list_namespaces",
			"describe_tool",
			"list_tool_examples",
			"run_tool",
			"run_chain",
			"read_result",
			"list_toolsets",
			"describe_toolset",
			"list_skills",
			"describe_skill",
			"plan_skill",
			"run_skill",
			"execute_code",
		],
	);
	for (const tool of await listed(demo.gateway)) {
		assert.equal(tool.inputSchema.type, "object", tool.name);
		assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
		assert.equal(tool.outputSchema.additionalProperties, false, tool.name);
		assert.deepEqual((tool.outputSchema.anyOf as { required: string[] }[]).at(-1), { required: ["error"] }, tool.name);
		for (const keyword of ["anyOf", "oneOf", "allOf"])
			assert.equal(
				tool.inputSchema[keyword],
				undefined,
				`${tool.name}: models' providers refuse ${keyword} at the top`,
			);
	}
});

verifies(
	"004-general-guidance-stable-surface",
	"names and schemas are frozen: servers, strategies and settings do not change them",
	async (t) => {
		const plain = await testGateway({ servers: [], codeEngine: ENGINE });
		const busy = await testGateway({
			servers: ["demo", "other"],
			codeEngine: ENGINE,
			settings: { searchStrategy: "lexical", maxChainSteps: 3 },
		});
		t.after(async () => {
			await plain.stop();
			await busy.stop();
		});
		assert.deepEqual(await listed(busy.gateway), await listed(plain.gateway));
		const frozen: unknown = JSON.parse(JSON.stringify(contracts()["tools.json"]));
		assert.deepEqual(await listed(plain.gateway), frozen);
	},
);

verifies(
	"002-replay-metatools-declares",
	"every metatool declares its contract, and a lost run is repeated only where the tool's own contract says so",
	async (t) => {
		const peers = inProcessPeers();
		const demo = await testGateway({ peers, codeEngine: ENGINE });
		t.after(() => demo.stop());
		const contract = Object.fromEntries(
			(await listed(demo.gateway)).map((tool) => [tool.name, contractOf(effectOfTool(tool).recovery, () => ({}))]),
		);
		for (const name of ["run_tool", "run_chain", "run_skill", "execute_code"])
			assert.equal(contract[name], "never_replay", name);
		for (const name of ["search_tools", "describe_tool", "list_namespaces", "read_result", "plan_skill"])
			assert.equal(contract[name], "convergent", name);

		for (const [tool, times] of [
			["count", 1],
			["count_safely", 2],
		] as const) {
			await until(() => demo.gateway.upstreams.all[0]?.state.kind === "ready");
			peers.of("demo").dieOn = { tool, times: 1 };
			const result = await demo.call("run_tool", { tool_id: `demo:${tool}` });
			assert.equal(peers.calls.filter((name) => name === tool).length, times, tool);
			if (tool === "count") {
				const error = (result.structuredContent as { error: Record<string, unknown> }).error;
				assert.equal(error.code, "execution_failed");
				assert.equal(error.retryable, false);
				assert.match(String(error.message), /whether it took effect is unknown/);
			} else assert.notEqual(result.isError, true, JSON.stringify(result));
		}
	},
);

verifies(
	"004-tradeoffs-execute-code-optional",
	"execute_code is neither listed nor callable when it is off or nothing can run it",
	async (t) => {
		const off = await testGateway({ codeEngine: ENGINE, settings: { code: false } });
		const none = await testGateway();
		const on = await testGateway({ codeEngine: ENGINE });
		t.after(async () => {
			for (const gateway of [off, none, on]) await gateway.stop();
		});
		for (const gateway of [off, none]) {
			assert.equal(
				(await listed(gateway.gateway)).some((tool) => tool.name === "execute_code"),
				false,
			);
			await assert.rejects(gateway.call("execute_code", { language: "javascript", code: "1" }), /expected one of/);
		}
		assert.equal((await on.data("execute_code", { language: "javascript", code: "hi" })).value, "hi");
	},
);

verifies(
	"002-telemetry-metatools-exposes",
	"health and telemetry of the gateway and of each server are there to be run",
	async (t) => {
		const demo = await testGateway({ servers: ["demo", "other"] });
		t.after(() => demo.stop());
		await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "x" } });
		await demo.error("run_tool", { tool_id: "demo:fail" });
		const health = (await demo.data("run_tool", { tool_id: "local:health" })).structured as unknown as Record<
			string,
			unknown
		> & { upstreams: { demo: object } };
		assert.equal(health.state, "ready");
		for (const key of ["generation", "uptimeMs", "consecutiveFailures", "restartCount", "rollout", "lastFault"]) {
			assert(key in health, key);
			assert(key in health.upstreams.demo, key);
		}
		const telemetry = (await demo.data("run_tool", { tool_id: "local:telemetry" })).structured as {
			totals: Record<string, number>;
			upstreams: Record<"demo" | "other", { totals: Record<string, number> }>;
		};
		assert.equal(telemetry.upstreams.demo.totals.requests, 2);
		assert.equal(telemetry.upstreams.demo.totals.errors, 1);
		assert.equal(telemetry.upstreams.other.totals.requests, 0);
		const { requests = 0, successes = 0, errors = 0, cancelled = 0, inFlight = 0 } = telemetry.totals;
		assert.equal(requests, successes + errors + cancelled + inFlight);
		assert.equal(requests, 4);
	},
);

test("the compact surface lists six metatools, and answers to all of them", async (t) => {
	const demo = await testGateway({ codeEngine: ENGINE, settings: { surface: "compact" } });
	t.after(() => demo.stop());
	const tools = await listed(demo.gateway);
	assert.deepEqual(
		tools.map((tool) => tool.name),
		["search_tools", "describe_tool", "run_tool", "run_chain", "read_result", "execute_code"],
	);
	assert(tools.every((tool) => tool.outputSchema === undefined));
	assert(JSON.stringify(tools).length < 4_500, String(JSON.stringify(tools).length));
	assert.match(texts(await demo.call("list_namespaces")), /^2 namespaces\n/);
});

test("on the compact surface an answer is its text alone, and says the same", async (t) => {
	const demo = await testGateway({ settings: { surface: "compact" } });
	t.after(() => demo.stop());
	const echo = { tool_id: "demo:echo", args: { text: "hi" } };
	assert.deepEqual(await demo.call("run_tool", echo), { content: [{ type: "text", text: "hi" }] });
	assert.deepEqual(await demo.call("run_tool", { tool_id: "demo:fail" }), {
		content: [{ type: "text", text: "error execution_failed (demo:fail): the disk is full" }],
		isError: true,
	});
	assert.deepEqual(await demo.call("run_tool", { tool_id: "demo:refuse" }), {
		content: [{ type: "text", text: 'error execution_failed (demo:refuse): MCP says: no such row\n{"row":9}' }],
		isError: true,
	});
	const json = JSON.parse(texts(await demo.call("run_tool", { ...echo, render: "json" })));
	assert.equal(json.structured, "hi");
});

test("on the compact surface a page of a result is as long as an answer may be", async (t) => {
	const demo = await testGateway({ settings: { surface: "compact" } });
	t.after(() => demo.stop());
	const lines = { content: [{ type: "text", text: "\n".repeat(900) }] };
	demo.peers.of("demo").answers.set("count", lines);
	assert.deepEqual(await demo.call("run_tool", { tool_id: "demo:count", max_chars: 1_000 }), lines, "nothing is cut");
	const cut = texts(await demo.call("run_tool", { tool_id: "demo:big", args: { chars: 9_000 }, max_chars: 1_000 }));
	const [, handle] = /"handle":"(r_[^"]+)"/.exec(cut) ?? [];
	const page = texts(await demo.call("read_result", { handle, max_chars: 1_000 }));
	assert(page.length > 900 && page.length <= 1_000, `${page.length} characters`);
	const json = texts(await demo.call("read_result", { handle, max_chars: 1_000, render: "json" }));
	assert.equal(JSON.parse(json).nextOffset, 400);
});

test("clients that were promised structured content get it also after the surface was made compact", async (t) => {
	const config = loadDefaultConfig();
	const demo = await testGateway();
	t.after(() => demo.stop());
	const servers = demo.gateway.upstreams.all.map(({ spec }) => spec);
	await demo.gateway.apply({ ...config, servers, settings: { ...config.settings, surface: "compact" } });
	assert.equal((await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "hi" } })).structured, "hi");
});
