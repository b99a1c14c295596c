import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { verifies } from "../../../../e2e/verifies.ts";
import type { CodeEngine } from "../../src/contract/codeEngine.ts";
import type { ToolRunner } from "../../src/run/runner.ts";
import { testGateway } from "../fixtures/gateway.ts";

const examples = join(import.meta.dirname, "../../../../examples");

/** Examples use the built packages, as their readers do. */
async function example(name: string): Promise<void> {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		["--disable-warning=ExperimentalWarning", join(examples, name, "main.ts")],
		{ timeout: 120_000 },
	);
	assert.equal(stdout, `${name}: ok\n`);
}

verifies("004-extension-points-transport", "a transport of one's own serves the gateway: the example runs", () =>
	example("transport"),
);

verifies(
	"004-extension-points-tool-execution",
	"a runner of one's own, or another backend, is what run_tool and run_chain use",
	async (t) => {
		await example("backend-runner");
		const seen: string[] = [];
		const demo = await testGateway();
		t.after(() => demo.stop());
		const tool = demo.gateway.catalog.get("demo:echo");
		assert(tool !== undefined);
		const runner: ToolRunner = {
			run: async ({ toolId, args }) => {
				seen.push(toolId);
				return { tool, structured: { mine: args }, durationMs: 1 };
			},
		};
		const own = await testGateway({ runner });
		t.after(() => own.stop());
		assert.deepEqual((await own.data("run_tool", { tool_id: "any:thing", args: { a: 1 } })).structured, {
			mine: { a: 1 },
		});
		assert.deepEqual((await own.data("run_chain", { steps: [{ tool_id: "first" }, { tool_id: "second" }] })).final, {
			mine: {},
		});
		assert.deepEqual(seen, ["any:thing", "first", "second"]);
	},
);

verifies(
	"004-extension-points-code-execution",
	"a code engine of one's own is what execute_code uses, with the tools inside",
	async (t) => {
		await example("code-engine");
		const engine: CodeEngine = {
			name: "reverse",
			languages: ["reverse"],
			async execute({ code, language, timeoutMs, maxToolCalls }, tools) {
				const found = await tools.search("repeat a text", 1);
				const said = await tools.call(found[0]?.id ?? "", { text: code }, new AbortController().signal);
				await assert.rejects(tools.call("demo:echo", {}, new AbortController().signal), /args\/text/);
				tools.progress({ progress: 1, total: 2, message: "half" });
				return {
					value: { said, language, timeoutMs, maxToolCalls, tools: tools.list().length },
					stdout: "printed\n",
					stderr: "",
					durationMs: 2,
					toolCalls: [],
				};
			},
		};
		const demo = await testGateway({ codeEngine: engine });
		t.after(() => demo.stop());
		const data = await demo.data("execute_code", { language: "reverse", code: "abc", timeout_ms: 500 });
		assert.deepEqual(data.value, { said: "abc", language: "reverse", timeoutMs: 500, maxToolCalls: 1000, tools: 16 });
		assert.equal(data.stdout, "printed\n");
	},
);

verifies(
	"004-extension-points-progress-execute-code",
	"execute_code reports progress when a token is given, and nothing without one",
	async (t) => {
		const engine: CodeEngine = {
			name: "silent",
			languages: ["x"],
			execute: async ({ code }, tools) => {
				if (code === "loud") tools.progress({ progress: 1, total: 3, message: "a third" });
				return { value: null, stdout: "", stderr: "", durationMs: 0, toolCalls: [] };
			},
		};
		const demo = await testGateway({ servers: [], codeEngine: engine });
		t.after(() => demo.stop());
		await demo.data("execute_code", { language: "x", code: "loud" });
		assert.equal(demo.notifications.length, 0);
		await demo.data("execute_code", { language: "x", code: "" }, { progressToken: "a" });
		assert.deepEqual(
			demo.notifications.map(({ params }) => params.message),
			["started", "completed"],
		);
		demo.notifications.length = 0;
		await demo.data("execute_code", { language: "x", code: "loud" }, { progressToken: "b" });
		assert.deepEqual(
			demo.notifications.map(({ params }) => params.message),
			["started", "a third", "completed"],
		);
	},
);

verifies(
	["004-extension-points-search-strategy", "004-extension-points-progress-forwarded"],
	"the examples of a search strategy and of a progress source run",
	async () => {
		await example("search-strategy");
		await example("progress-source");
	},
);
