import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createPolicyGate } from "../../src/auth/policy.ts";
import { parseSkill } from "../../src/toolsets/skill.ts";
import { createToolsetGate, createToolsets } from "../../src/toolsets/toolset.ts";
import type { StdioSpec } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { type TestGateway, testGateway, texts } from "../fixtures/gateway.ts";
import { inProcessPeers } from "../fixtures/inProcess.ts";

const config = {
	toolsets: createToolsets({
		"Safe ones": { description: "harmless", tools: ["demo:*", "local:ping"], exclude: ["demo:fail", "*:refuse"] },
	}),
	skills: [
		parseSkill(
			{
				description: "two steps",
				steps: [
					{ id: "first", tool_id: "demo:structured" },
					{ tool_id: "demo:echo", inputs: { text: { $from: "steps/first/structured/id" } } },
				],
			},
			"Wrong Type",
		),
		parseSkill(
			{
				toolset_id: "toolset:safe-ones",
				steps: [
					{ id: "a", tool_id: "demo:items" },
					{ id: "b", tool_id: "demo:count" },
				],
			},
			"good",
		),
		parseSkill({ toolset_id: "toolset:safe-ones", steps: [{ tool_id: "demo:fail" }] }, "outside"),
	],
};

let demo: TestGateway;
let confined: TestGateway;
before(async () => {
	demo = await testGateway({ config });
	confined = await testGateway({ config, settings: { toolset: "Safe ones" } });
});
after(async () => {
	await demo.stop();
	await confined.stop();
});

test("toolsets are listed with what they hold now", async () => {
	assert.deepEqual((await demo.data("list_toolsets")).toolsets, [
		{ id: "toolset:safe-ones", name: "Safe ones", description: "harmless", toolCount: 12 },
	]);
	const described = (await demo.data("describe_toolset", { toolset_id: "toolset:safe-ones" })).toolset as {
		tools: { id: string }[];
	};
	assert(described.tools.some((tool) => tool.id === "demo:echo"));
	assert(!described.tools.some((tool) => tool.id === "demo:fail"));
	assert.equal((await demo.error("describe_toolset", { toolset_id: "toolset:none" })).code, "tool_not_found");
});

test("of a server that is away, a toolset admits the tools that it names, and the server for them", () => {
	const { admits } = createToolsetGate(() => config.toolsets);
	const confined = { id: "x", toolset: "Safe ones" };
	assert.deepEqual(
		[undefined, "demo:echo", "demo:fail"].map((id) => admits?.("demo", confined, id)),
		[true, true, false],
	);
	assert.deepEqual(
		[undefined, "local:ping", "local:pong"].map((id) => admits?.("local", confined, id)),
		[true, true, false],
	);
	assert.equal(admits?.("demo", { id: "x" }, "demo:fail"), true, "a caller without a toolset");
});

test("a toolset that holds for a caller is enforced in search, list, describe, run and chain", async () => {
	const { tools } = await confined.data("search_tools", { query: "", limit: 100 });
	assert.equal((tools as unknown[]).length, 12);
	const found = (await confined.data("search_tools", { query: "demo:fail" })).tools as { id: string }[];
	assert(!found.some((tool) => tool.id === "demo:fail"));
	for (const [name, args] of [
		["describe_tool", { tool_id: "demo:fail", detail_level: "full" }],
		["run_tool", { tool_id: "demo:fail" }],
		["run_tool", { tool_id: "local:health" }],
	] as const)
		assert.equal((await confined.error(name, args)).code, "tool_not_found");
	assert.equal((await confined.error("run_chain", { steps: [{ tool_id: "demo:refuse" }] })).code, "chain_step_failed");
	assert.deepEqual((await confined.data("list_namespaces")).namespaces, ["demo", "local"]);
});

test("a tool that a toolset excludes stays out of it when its server gives it a version", async (t) => {
	const tools = ["list", "exec"].map((name) => ({ name, version: "2.0", inputSchema: { type: "object" } }));
	const toolsets = createToolsets({ safe: { tools: ["demo:*"], exclude: ["demo:exec"] } });
	const versioned = await testGateway({ tools, config: { toolsets }, settings: { toolset: "safe" } });
	t.after(() => versioned.stop());
	for (const tool_id of ["demo:exec", "demo:exec:2.0", "exec"])
		assert.equal((await versioned.error("run_tool", { tool_id })).code, "tool_not_found", tool_id);
	const { tools: listed } = await versioned.data("list_tools");
	assert.deepEqual(
		(listed as { id: string }[]).map(({ id }) => id).filter((id) => id.startsWith("demo:")),
		["demo:list:2.0"],
	);
});

test("a caller with a toolset also waits for a server that is starting, and learns why one failed", {
	timeout: 120_000,
}, async (t) => {
	const server = join(import.meta.dirname, "../fixtures/stdioServer.ts");
	const program = (name: string, args: readonly string[]): StdioSpec => {
		const command = process.execPath;
		return { kind: "stdio", name, namespace: name, protocol: "auto", command, args, env: {} };
	};
	const starting = await testGateway({
		openTransport,
		config: {
			toolsets: createToolsets({
				reading: { tools: ["demo:ec*", "broken:*", "shut:*", "*:count"], exclude: ["demo:fail", "shut:*"] },
			}),
			servers: [
				program("demo", ["--disable-warning=ExperimentalWarning", server]),
				program("broken", ["-e", "process.exit(4)"]),
				program("shut", ["-e", "process.exit(4)"]),
			],
		},
		settings: { toolset: "reading" },
		wait: false,
	});
	t.after(() => starting.stop());
	const [found, outside, broken, shut] = await Promise.all([
		starting.call("search_tools", { query: "echo" }),
		starting.error("run_tool", { tool_id: "demo:fail" }),
		starting.error("run_tool", { tool_id: "broken:any" }),
		starting.error("run_tool", { tool_id: "shut:any" }),
		starting.data("run_tool", { tool_id: "demo:echo", args: { text: "hello" } }),
	]);
	assert.match(texts(found), /demo:echo|still connecting: demo/);
	assert.equal(outside.code, "tool_not_found");
	assert.match(String(broken.message), /exit code 4/);
	assert.equal(shut.code, "tool_not_found");
	assert.deepEqual((await starting.data("list_namespaces")).namespaces, ["broken", "demo"]);
});

test("skills are listed, described, planned and run, with references by step id", async () => {
	const { skills } = await demo.data("list_skills");
	assert.deepEqual(
		(skills as { id: string; stepCount: number }[]).map(({ id, stepCount }) => [id, stepCount]),
		[
			["skill:wrong-type", 2],
			["skill:good", 2],
			["skill:outside", 1],
		],
	);
	const { plan } = await demo.data("plan_skill", { skill_id: "skill:good" });
	assert.deepEqual(plan, {
		name: "good",
		steps: [
			{ id: "a", tool_id: "demo:items" },
			{ id: "b", tool_id: "demo:count" },
		],
	});
	const run = await demo.data("run_skill", { skill_id: "skill:good" });
	assert.deepEqual(
		(run.results as { step_id: string }[]).map((step) => step.step_id),
		["a", "b"],
	);
	assert.equal(typeof run.durationMs, "number");
});

test("a failing skill keeps the values before the failure", async () => {
	const result = await demo.call("run_skill", { skill_id: "skill:wrong-type" });
	const data = result.structuredContent as { results: Record<string, unknown>[]; error: Record<string, unknown> };
	assert.equal(result.isError, true);
	assert.deepEqual(data.results[0], { step_id: "first", value: { id: 7 } });
	assert.equal((data.results[1]?.error as { code: string } | undefined)?.code, "validation_input");
	assert.equal(data.error.step_index, 1);
});

test("a skill of the caller's own runs, within its limits and its toolset", async () => {
	const steps = [{ tool_id: "demo:items" }, { tool_id: "demo:items" }];
	assert.equal(((await demo.data("run_skill", { skill: { name: "mine", steps } })).results as unknown[]).length, 2);
	assert.match(
		String((await demo.error("run_skill", { skill: { steps }, max_steps: 1 })).message),
		/skill\/steps: expected at most 1, got 2/,
	);
	assert.equal((await demo.error("run_skill", { skill: { steps }, max_tool_calls: 1 })).code, "chain_step_failed");
	assert.match(
		String((await demo.error("plan_skill", { skill_id: "skill:outside" })).message),
		/expected a tool of toolset:safe-ones/,
	);
	const late = await demo.error("run_skill", { skill: { steps: [{ tool_id: "demo:slow" }] }, timeout_ms: 30 });
	assert.deepEqual([late.code, late.retryable, late.details], ["timeout", false, { outcome: "unknown" }]);
	assert.match(
		String((await demo.error("plan_skill", { skill: { steps: [{ id: "9x", tool_id: "demo:items" }] } })).message),
		/skill\/steps\/0\/id/,
	);
});

test("toolsets and skills with tools that are hidden from a caller do not exist for it, also while their server is down", async (t) => {
	const skill = (name: string, ...tools: string[]) => parseSkill({ steps: tools.map((id) => ({ tool_id: id })) }, name);
	const started = async (rule: object, options: { down: boolean }) => {
		const peers = inProcessPeers();
		if (options.down) peers.failing.add("pay");
		const gateway = await testGateway({
			peers,
			servers: ["git", "pay"],
			gates: [createPolicyGate(() => ({ local: rule }))],
			config: {
				toolsets: createToolsets({
					money: { tools: ["pay:*"], description: "payroll" },
					both: { tools: ["pay:count", "git:*"] },
					gone: { tools: ["old:*"] },
				}),
				skills: [
					skill("transfer", "git:items", "pay:count"),
					skill("look", "git:items"),
					skill("lost", "git:no_more"),
					skill("former", "old:items"),
				],
			},
		});
		t.after(() => gateway.stop());
		return gateway;
	};
	const known = async ({ data }: TestGateway) => {
		const { toolsets } = await data("list_toolsets");
		const { skills } = await data("list_skills");
		return [toolsets, skills].map((list) => (list as { name: string }[]).map(({ name }) => name));
	};
	for (const down of [false, true]) {
		const some = await started({ allow: ["git:*"] }, { down });
		assert.deepEqual(await known(some), [["both"], ["look", "lost"]]);
		assert.equal(
			(await some.error("describe_toolset", { toolset_id: "money" })).message,
			"No toolset is called money; there is toolset:both.",
		);
		for (const metatool of ["describe_skill", "plan_skill", "run_skill"])
			assert.equal(
				(await some.error(metatool, { skill_id: "transfer" })).message,
				"No skill is called transfer; there is skill:look, skill:lost.",
				metatool,
			);
		const denied = await started({ deny: ["pay:*"] }, { down });
		assert.deepEqual(await known(denied), [
			["both", "gone"],
			["look", "lost", "former"],
		]);
		const all = await started({}, { down });
		assert.deepEqual(await known(all), [
			["money", "both", "gone"],
			["transfer", "look", "lost", "former"],
		]);
	}
});
