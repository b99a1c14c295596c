import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { runChain } from "../../src/chain/chain.ts";
import { LOCAL_VIEWER } from "../../src/run/access.ts";
import { type TestGateway, testGateway, texts } from "../fixtures/gateway.ts";

let demo: TestGateway;
before(async () => {
	demo = await testGateway({
		localTools: [
			{ definition: { name: "join", description: "Join" }, run: (args) => ({ got: args }) },
			{ definition: { name: "photo", description: "Photo" }, run: () => ({ type: "image", data: PHOTO }) },
			{
				definition: { name: "wait", description: "Wait" },
				run: async (args) => {
					running++;
					most = Math.max(most, running);
					await new Promise((resolve) => setTimeout(resolve, 5));
					running--;
					if (args.n === 3 && args.fail === true) throw new Error("third");
					return { n: args.n };
				},
			},
		],
	});
});
after(() => demo.stop());
const PHOTO = "A".repeat(12_000_000);
let running = 0;
let most = 0;

type Step = { tool_id: string; structured?: unknown; error?: { code: string; message: string } };

verifies(
	"004-tradeoffs-tool-chain",
	"run_chain runs steps in order, and a step can use an earlier result",
	async () => {
		const data = await demo.data("run_chain", {
			steps: [
				{ tool_id: "demo:structured" },
				{
					tool_id: "local:join",
					args: { id: { $from: "steps/0/structured/id" }, list: [{ $from: "/steps/0/structured" }] },
				},
				{ tool_id: "local:join", args: { a: 1 }, use_previous: true },
			],
		});
		const results = data.results as Step[];
		assert.deepEqual(
			results.map((step) => step.tool_id),
			["demo:structured", "local:join", "local:join"],
		);
		assert.deepEqual(results[1]?.structured, { got: { id: 7, list: [{ id: 7 }] } });
		assert.deepEqual(data.final, { got: { a: 1, previous: results[1]?.structured } });
	},
);

test("references follow JSON Pointer, and $literal passes one through untouched", async () => {
	const data = await demo.data("run_chain", {
		steps: [
			{ tool_id: "demo:items" },
			{
				tool_id: "local:join",
				args: {
					odd: { $from: "steps/0/structured/odd~1key/~0" },
					second: { $from: "previous/list/1" },
					raw: { $literal: { $from: "x" } },
				},
			},
		],
	});
	assert.deepEqual(data.final, { got: { odd: 1, second: "b", raw: { $from: "x" } } });
});

test("a step may have a name for later ones to refer to, and no two have the same", async () => {
	const data = await demo.data("run_chain", {
		steps: [
			{ id: "ticket", tool_id: "demo:structured" },
			{ id: "it", tool_id: "local:join", args: { id: { $from: "steps/ticket/structured/id" } } },
		],
	});
	assert.deepEqual(data.final, { got: { id: 7 } });
	const steps = ["a", "b", "a"].map((id) => ({ id, tool_id: "demo:structured" }));
	const twice = /steps\/2\/id: expected a name of its own, got "a"/;
	await assert.rejects(demo.call("run_chain", { steps }), twice);
	assert.match(String((await demo.error("plan_skill", { skill: { name: "x", steps } })).message), twice);
	await assert.rejects(
		demo.call("run_chain", { steps: [{ id: "0", tool_id: "demo:structured" }] }),
		/arguments\/steps\/0\/id: expected a letter, .*, got "0"/,
	);
	await assert.rejects(
		demo.call("run_chain", { steps: [{ tool_id: "local:join", args: { previous: 1 }, use_previous: true }] }),
		/arguments\/steps\/0\/use_previous: expected no such field in the first step, got true/,
	);
});

test("a skill's step is found by its name, whatever that is, and by no name it was not given", async () => {
	const options = { runner: demo.gateway.runner, viewer: LOCAL_VIEWER, signal: new AbortController().signal };
	for (const id of ["__proto__", "constructor", "first"]) {
		const use = { tool_id: "local:join", args: { got: { $from: `steps/${id}/structured/id` } } };
		const named = await runChain([{ tool_id: "demo:structured", id }, use], options);
		assert.deepEqual(named.final, { got: { got: 7 } });
		const nameless = await runChain([{ tool_id: "demo:structured" }, use], options);
		assert.equal(nameless.error?.code, "chain_step_failed");
	}
});

test("a reference to nothing is told what there is instead", async () => {
	const told: [string, string][] = [
		["steps/0/structured/name", "steps/0/structured has id"],
		["steps/0/structured/id/x", "steps/0/structured/id has number 7"],
		["steps/1/structured/3", "steps/1/structured has 2 items"],
	];
	for (const [reference, there] of told) {
		const error = await demo.error("run_chain", {
			steps: [
				{ tool_id: "demo:structured" },
				{ tool_id: "demo:structured", map: { over: [1, 2] } },
				{ tool_id: "local:join", args: { a: { $from: reference } } },
			],
		});
		assert.equal(
			error.message,
			`Step 2 (local:join) failed: $from: expected a place where something is: ${there}, got "${reference}"`,
		);
	}
});

test("a reference that can never lead anywhere is refused before the first step runs", async () => {
	const place = "a place where something is:";
	const slashes = "slashes between the names:";
	const told: [reference: unknown, expected: string][] = [
		["steps/first/structured", `${place} steps has 0, one`],
		["steps/1/structured", `${place} steps has 0, one`],
		["steps/0/result", `${place} steps/0 has tool_id, structured`],
		["inputs/n", `${place} a reference has steps, previous`],
		["item/name", `${place} a reference has steps, previous`],
		["__proto__/x", `${place} a reference has steps, previous`],
		[5, "a JSON Pointer such as steps/0/structured/id"],
		["steps[0].structured.id", `${slashes} steps/0/structured/id`],
		["$.steps.0.structured.id", `${slashes} steps/0/structured/id`],
		["previous.id", `${slashes} previous/id`],
		["steps.0.id", `${slashes} steps/0 has tool_id, structured`],
	];
	const { calls } = demo.peers.of("demo");
	const before = calls.length;
	for (const [reference, expected] of told) {
		const args = { a: [{ $from: reference }] };
		const steps = [
			{ id: "one", tool_id: "demo:count" },
			{ id: "two", tool_id: "local:join", args },
		];
		const message = `/steps/1/args/a/0/$from: expected ${expected}, got ${JSON.stringify(reference)}`;
		await assert.rejects(demo.call("run_chain", { steps }), { message: `arguments${message}` });
		const skill = { steps: steps.map(({ args, ...step }) => ({ ...step, inputs: args })) };
		for (const metatool of ["plan_skill", "run_skill"])
			assert.equal((await demo.error(metatool, { skill })).message, `skill${message.replace("args", "inputs")}`);
	}
	for (const over of ["item", "previous"])
		await assert.rejects(
			demo.call("run_chain", { steps: [{ tool_id: "local:join", map: { over: { $from: over } } }] }),
			{ message: `arguments/steps/0/map/over/$from: expected ${place} a reference has steps, got "${over}"` },
		);
	assert.equal(calls.length, before, "nothing was called");
});

test("a chain or skill with a step that is bound to fail is refused before the first one runs", async () => {
	const { calls } = demo.peers.of("demo");
	const before = calls.length;
	const doomed: [step: { tool_id: string; args?: object }, cause: string, says: string][] = [
		[{ tool_id: "demo:ecko" }, "tool_not_found", "No tool is called demo:ecko; did you mean demo:echo?"],
		[{ tool_id: "demo:echo", args: { text: 5 } }, "validation_input", "args/text: expected string, got number 5"],
		[
			{ tool_id: "demo:echo", args: { text: { $literal: { $from: "x" } } } },
			"validation_input",
			'args/text: expected string, got object {"$from":"x"}',
		],
	];
	for (const [step, cause, says] of doomed) {
		const result = await demo.call("run_chain", { steps: [{ tool_id: "demo:count" }, step] });
		const said = `Step 1 (${step.tool_id}) would fail, so no step was run: ${says}`;
		assert.equal(texts(result), `error chain_step_failed (${step.tool_id}, step 1): ${said}`);
		const { results, error } = Object(result.structuredContent);
		assert.deepEqual([results, error.details.cause_code, error.step_index], [[], cause, 1]);
		const steps = [{ tool_id: "demo:count" }, { tool_id: step.tool_id, inputs: step.args ?? {} }];
		const plan = await demo.error("plan_skill", { skill: { steps } });
		assert.deepEqual([plan.code, plan.message, plan.step_index], [cause, says, 1]);
		assert.match(texts(await demo.call("run_skill", { skill: { steps } })), /^error .* step 1\)/);
	}
	assert.equal(calls.length, before, "nothing was called");
});

test("the text of a mapped step that failed says for which item, and what the others gave", async () => {
	const told = async (over: number[], parallel: number) =>
		texts(
			await demo.call("run_chain", {
				steps: [{ tool_id: "local:wait", map: { over, parallel }, args: { n: { $from: "item" }, fail: true } }],
			}),
		);
	const failure =
		"error internal (local:wait, item 1): The gateway failed while answering; its log has the cause. [retryable]";
	assert.equal(
		await told([1, 3, 5], 1),
		`0 local:wait: ${failure}
  items that succeeded, null in place of others: [{"n":1},null,null]`,
	);
	assert.equal(
		await told([1, 3, 5], 2),
		`0 local:wait: ${failure}
  items under way then, cut short, done or not: 2
  items that succeeded, null in place of others: [{"n":1},null,null]`,
	);
	assert.equal(await told([3, 5], 1), `0 local:wait: ${failure.replace("item 1", "item 0")}`, "none succeeded");
	await until(() => running === 0);
});

test("a mapped step runs for none of its items if the arguments of one do not fit", async () => {
	const { calls } = demo.peers.of("demo");
	const before = calls.length;
	const told = async (over: unknown[], from: string) =>
		texts(
			await demo.call("run_chain", {
				steps: [{ tool_id: "demo:echo", map: { over }, args: { text: { $from: from } } }],
			}),
		);
	assert.equal(
		await told(["a", "b", 5], "item"),
		"0 demo:echo: error validation_input (demo:echo, item 2): args/text: expected string, got number 5; no item was run",
	);
	assert.match(await told([{ name: "a" }, {}], "item/name"), /\(demo:echo, item 1\): \$from: .*; no item was run$/);
	assert.equal(calls.length, before);
});

test("a reference to nothing stops the chain and names itself", async () => {
	const error = await demo.error("run_chain", {
		steps: [{ tool_id: "demo:structured" }, { tool_id: "local:join", args: { a: { $from: "previous/none" } } }],
	});
	assert.equal(error.code, "chain_step_failed");
	assert.equal((error.details as { cause_code: string }).cause_code, "validation_input");
	assert(String(error.message).includes('"previous/none"'));
});

verifies(
	["004-error-semantics-run-chain-stops", "004-error-semantics-run-chain-partial"],
	"a chain stops at the first failing step and returns what succeeded beside the error",
	async () => {
		const before = demo.peers.of("demo").calls.length;
		const result = await demo.call("run_chain", {
			steps: [
				{ tool_id: "demo:structured" },
				{ tool_id: "demo:fail" },
				{ tool_id: "demo:echo", args: { text: "never" } },
			],
		});
		assert.equal(result.isError, true);
		const data = result.structuredContent as { results: Step[]; final: unknown; error: Record<string, unknown> };
		assert.deepEqual(demo.peers.of("demo").calls.slice(before), ["structured", "fail"]);
		assert.equal(data.results.length, 2);
		assert.deepEqual(data.results[0]?.structured, { id: 7 });
		assert.equal(data.results[1]?.error?.message, "the disk is full");
		assert.deepEqual(data.final, { id: 7 });
		assert.equal(data.error.code, "chain_step_failed");
		assert.equal(data.error.step_index, 1);
		assert.deepEqual(data.error.details, {
			cause_code: "execution_failed",
			cause_op: "execute",
			cause_backend_kind: "mcp",
		});
	},
);

test("a chain longer than configured is refused before anything runs", async () => {
	const before = demo.peers.of("demo").calls.length;
	const steps = Array.from({ length: 9 }, () => ({ tool_id: "demo:structured" }));
	const error = await demo.error("run_chain", { steps });
	assert.equal(error.code, "validation_input");
	assert.equal(error.message, "steps: expected at most 8, got 9");
	assert.equal(demo.peers.of("demo").calls.length, before);
});

test("backends are shown unless declined, definitions only on request", async () => {
	const shown = (await demo.data("run_chain", { steps: [{ tool_id: "demo:structured" }] })).results as Record<
		string,
		unknown
	>[];
	assert.deepEqual(shown[0]?.backend, { kind: "mcp", mcp: { serverName: "demo" } });
	assert.equal(shown[0]?.tool, undefined);
	const other = (
		await demo.data("run_chain", {
			steps: [{ tool_id: "demo:structured" }],
			include_backends: false,
			include_tools: true,
		})
	).results as Record<string, unknown>[];
	assert.equal(other[0]?.backend, undefined);
	assert.deepEqual((other[0]?.tool as { name?: string } | undefined)?.name, "structured");
});

test("a mapped step runs once per item, a few at a time, in order", async () => {
	most = 0;
	const items = Array.from({ length: 12 }, (_, n) => n);
	const data = await demo.data("run_chain", {
		steps: [{ tool_id: "local:wait", args: { n: { $from: "item" } }, map: { over: items, parallel: 3 } }],
	});
	assert.deepEqual(
		data.final,
		items.map((n) => ({ n })),
	);
	assert.equal(most, 3);
	const named = await demo.data("run_chain", {
		steps: [
			{ tool_id: "demo:items" },
			{ tool_id: "demo:echo", args: { text: { $from: "item" } }, map: { over: { $from: "steps/0/structured/list" } } },
		],
	});
	assert.deepEqual(named.final, ["a", "b", "c"]);
});

test("a mapped step that fails keeps what succeeded in its place and starts no more", async () => {
	const items = [1, 2, 3, 4, 5, 6, 7, 8];
	const result = await demo.call("run_chain", {
		steps: [{ tool_id: "local:wait", args: { n: { $from: "item" }, fail: true }, map: { over: items, parallel: 1 } }],
	});
	const data = result.structuredContent as { results: Step[]; error: Record<string, unknown> };
	assert.equal(result.isError, true);
	assert.deepEqual(data.results[0]?.structured, [{ n: 1 }, { n: 2 }, null, null, null, null, null, null]);
	assert.equal(
		(await demo.error("run_chain", { steps: [{ tool_id: "local:wait", map: { over: 5 } }] })).code,
		"chain_step_failed",
	);
	assert.equal(
		(await demo.error("run_chain", { steps: [{ tool_id: "local:wait", map: { over: Array(1_001).fill(0) } }] })).code,
		"chain_step_failed",
	);
});

verifies(
	"004-extension-points-progress-run-chain",
	"run_chain reports every step when a token is given, and nothing without one",
	async (t) => {
		const own = await testGateway();
		t.after(() => own.stop());
		const steps = [{ tool_id: "demo:structured" }, { tool_id: "demo:items" }];
		await own.data("run_chain", { steps });
		assert.equal(own.notifications.length, 0);
		await own.data("run_chain", { steps }, { progressToken: "c" });
		assert.deepEqual(
			own.notifications.map(({ params }) => [params.progress, params.total, params.message]),
			[
				[0, 2, "started"],
				[1, 2, "step_completed"],
				[2, 2, "step_completed"],
			],
		);
	},
);

test("the step at which a chain fails is reported right before the answer, past the limit on the rate of reports", async (t) => {
	const own = await testGateway();
	t.after(() => own.stop());
	const steps = ["demo:structured", "demo:fail", "demo:items"].map((tool_id) => ({ tool_id }));
	await own.error("run_chain", { steps }, { progressToken: "c" });
	// What is held to the rate has no token yet.
	assert.deepEqual(
		own.notifications.map(({ params }) => [params.progress, params.total, params.message, params.progressToken]),
		[
			[0, 3, "started", undefined],
			[1, 3, "step_completed", undefined],
			[2, 3, "step_error", "c"],
		],
	);
});

test("cancelling a chain stops it as cancelled", async () => {
	const stop = new AbortController();
	const running = demo.error(
		"run_chain",
		{ steps: [{ tool_id: "demo:slow" }, { tool_id: "demo:echo", args: { text: "never" } }] },
		{ signal: stop.signal },
	);
	setTimeout(() => stop.abort(), 20);
	const error = await running;
	assert.equal(error.code, "cancelled");
	assert.equal(error.step_index, 0);
});

test("arguments nested without end are refused, not followed", async () => {
	let args: Record<string, unknown> = {};
	for (let depth = 0; depth < 200; depth++) args = { args };
	const error = await demo.error("run_chain", { steps: [{ tool_id: "local:join", args }] });
	assert.equal((error.details as { cause_code: string }).cause_code, "validation_input");
	assert.match(String(error.message), /at most 64 levels/);
});

test("a chain holds no more results than a gateway has room for, over all of its steps", async () => {
	const photos = (items: number) => ({ tool_id: "local:photo", map: { over: Array(items).fill(0), parallel: 1 } });
	const few = await demo.data("run_chain", { steps: [photos(2), photos(3)] });
	assert.equal((few.results as Step[]).length, 2);
	const many = await demo.error("run_chain", { steps: [photos(3), photos(4)] });
	assert.deepEqual([many.code, many.step_index], ["chain_step_failed", 1]);
	assert.match(String(many.message), /more than 64000000 characters; run it over fewer items at a time/);
});
