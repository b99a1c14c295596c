import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { RpcError } from "libmcp";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { ToolError } from "../../src/contract/errors.ts";
import { type TestGateway, testGateway, texts } from "../fixtures/gateway.ts";
import type { Tool } from "../fixtures/scriptedPeer.ts";

let demo: TestGateway;
before(async () => {
	demo = await testGateway();
});
after(() => demo.stop());

verifies("004-tradeoffs-tool-run", "run_tool runs a tool and gives its value, with more on request", async () => {
	const data = await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "hello" } });
	assert.equal(data.structured, "hello");
	assert.equal(typeof data.durationMs, "number");
	assert.deepEqual(Object.keys(data).toSorted(), ["durationMs", "structured"]);
	const all = await demo.data("run_tool", {
		tool_id: "demo:structured",
		include_tool: true,
		include_backend: true,
		include_mcp_result: true,
	});
	assert.deepEqual(all.structured, { id: 7 });
	assert.deepEqual(all.backend, { kind: "mcp", mcp: { serverName: "demo" } });
	assert.equal((all.tool as { name: string }).name, "structured");
	assert.deepEqual((all.mcpResult as { structuredContent: unknown }).structuredContent, { id: 7 });
});

test("arguments are checked before the server is asked, and the message names place, expectation and value", async () => {
	const before = demo.peers.of("demo").calls.length;
	const error = await demo.error("run_tool", { tool_id: "demo:echo", args: { text: 5 } });
	assert.equal(error.code, "validation_input");
	assert.equal(error.op, "validate_input");
	assert.equal(error.message, "args/text: expected string, got number 5");
	assert.equal(
		(await demo.error("run_tool", { tool_id: "demo:echo" })).message,
		"args/text: expected a value, got none; it takes text",
	);
	assert.match(
		String((await demo.error("run_tool", { tool_id: "demo:echo", args: { text: "a", more: 1 } })).message),
		/args\/more: expected no such field/,
	);
	assert.equal(demo.peers.of("demo").calls.length, before);
});

test("who leaves out what a tool needs is told all that it takes", async (t) => {
	const properties = { owner: {}, repo: {}, title: {}, body: {}, state: { default: "open" } };
	const inputSchema = { type: "object", properties, required: ["owner", "repo", "title", "state"] };
	const own = await testGateway({ tools: [{ name: "create_issue", inputSchema }] });
	t.after(() => own.stop());
	const error = await own.error("run_tool", { tool_id: "demo:create_issue", args: { repository: "a/b" } });
	const takes = "it takes owner, repo, title, body?, state?";
	const missing = ["owner", "repo", "title"].map((name) => `args/${name}: expected a value, got none`).join("; ");
	assert.equal(error.message, `${missing}; ${takes}`);
	const strict = await testGateway({
		tools: [{ name: "create_issue", inputSchema: { ...inputSchema, additionalProperties: false } }],
	});
	t.after(() => strict.stop());
	assert.equal(
		(await strict.error("run_tool", { tool_id: "demo:create_issue", args: { repository: "a/b" } })).message,
		`${missing}; args/repository: expected no such field, got one; did you mean repo?; ${takes}`,
	);
});

test("what a metatool takes is said once, whatever was wrong", async () => {
	await assert.rejects(demo.call("run_tool", { tool: "demo:echo", arguments: {} }), (error: RpcError) => {
		assert.match(error.message, /tool_id: expected a value.*tool: expected no such field.*arguments: expected no such/);
		assert.equal(error.message.match(/include_mcp_result/g)?.length, 1, error.message);
		return true;
	});
	await assert.rejects(demo.call("describe_tool", {}), /it takes tool_id, detail_level, examples_max\?/);
});

test("who names an argument by another of its words is told which is meant", async () => {
	const cases = [
		["list_tools", { namespace: "demo" }, "arguments/namespace", "backend_name"],
		["run_tool", { name: "demo:echo", args: {} }, "arguments/name", "tool_id"],
		["run_tool", { tool_id: "demo:echo", arguments: {} }, "arguments/arguments", "args"],
	] as const;
	for (const [metatool, args, place, meant] of cases)
		await assert.rejects(demo.call(metatool, args), (error: RpcError) => {
			assert.ok(
				error.message.includes(`${place}: expected no such field, got one; did you mean ${meant}?`),
				error.message,
			);
			return true;
		});
	// The one that is given cannot be meant too.
	await assert.rejects(
		demo.call("run_tool", { tool_id: "demo:echo", name: "x" }),
		/arguments\/name: .*; there are tool_id/,
	);
});

test("who gives the id of a skill in place of the skill is told where ids go", async () => {
	for (const name of ["plan_skill", "run_skill"])
		await assert.rejects(demo.call(name, { skill: "skill:nightly" }), {
			message: 'arguments/skill: expected object, got string "skill:nightly"; an id is given as skill_id',
		});
});

test("a metatool that is named as a tool is to be called by itself", async () => {
	const said = "search_tools is no tool of a server; call it by itself.";
	assert.equal((await demo.error("run_tool", { tool_id: "search_tools" })).message, said);
	assert.equal((await demo.error("describe_tool", { tool_id: "search_tools", detail_level: "full" })).message, said);
});

test("what is said of a wrong argument does not hang on the words in it", async (t) => {
	await assert.rejects(demo.call("list_tools", { "a:b/c": 1 }), (thrown: RpcError) => {
		assert.match(thrown.message, /^arguments\/a:b~1c: expected no such field, got one; there are /);
		assert.equal((thrown.data as { details: { field: string } }).details.field, "a:b/c");
		return true;
	});
	const mood = { const: "good; there are worse" };
	const inputSchema = { type: "object", properties: { mood, name: {} }, required: ["mood", "name"] };
	const own = await testGateway({ tools: [{ name: "greet", inputSchema }] });
	t.after(() => own.stop());
	const { message } = await own.error("run_tool", { tool_id: "demo:greet", args: {} });
	assert.equal(
		message,
		'args/mood: expected "good; there are worse", got none; args/name: expected a value, got none; it takes mood, name',
	);
});

test("a tool's own text is shown where it tells the value in words, and not where it only sums it up", async (t) => {
	const own = await testGateway();
	t.after(() => own.stop());
	const said = 'a "quoted" line\nand another';
	const shown = async (structuredContent: object, text = said) => {
		own.peers.of("demo").answers.set("count", { content: [{ type: "text", text }], structuredContent });
		const result = await own.call("run_tool", { tool_id: "demo:count" });
		const { structured } = result.structuredContent as { structured: unknown };
		assert.deepEqual(structured, structuredContent, "the data stay as they were");
		return texts(result);
	};
	assert.equal(await shown({ content: said }), said);
	assert.equal(await shown({ content: said, lines: 2 }), said);
	const files = { files: Array.from({ length: 30 }, (_, number) => `file-${number}.txt`) };
	assert.equal(await shown(files, "30 files found"), JSON.stringify(files));
	assert.equal(await shown({ content: said }, JSON.stringify({ content: said })), JSON.stringify({ content: said }));
});

test("what a tool sends beside its structured content is named in the text", async (t) => {
	const own = await testGateway();
	t.after(() => own.stop());
	const content = [
		{ type: "image", mimeType: "image/png", data: "AAAA" },
		{ type: "resource", resource: { uri: "file:///y", mimeType: "text/plain", text: "embedded text" } },
	];
	own.peers.of("demo").answers.set("count", { content, structuredContent: { x: 1 } });
	const { content: shown } = await own.call("run_tool", { tool_id: "demo:count" });
	assert.deepEqual(shown, [
		{ type: "text", text: '{"x":1}\n[image image/png 3 bytes]\n[resource file:///y text/plain 13 characters]' },
		...content,
	]);
});

test("a number that parsing rounds is shown with all its digits where the tool also wrote it as text", async (t) => {
	const own = await testGateway();
	t.after(() => own.stop());
	const shown = async (text: string, structuredContent: object) => {
		own.peers.of("demo").answers.set("count", { content: [{ type: "text", text }], structuredContent });
		return texts(await own.call("run_tool", { tool_id: "demo:count" }));
	};
	const exact = '{\n  "id": 12345678901234567890\n}';
	assert.equal(await shown(exact, JSON.parse(exact)), exact);
	// Another value than the one that is given as such.
	assert.equal(await shown(exact, { id: 1 }), '{"id":1}');
	assert.equal(await shown('{ "id": 9007199254740991 }', { id: 9007199254740991 }), '{"id":9007199254740991}');
	assert.equal(await shown("12345678901234567890", { id: 2 }), '{"id":2}');
});

test("an object or a list that a model writes as text is read", async () => {
	const ran = await demo.data("run_tool", { tool_id: "demo:echo", args: '{"text":"as text"}' });
	assert.equal(ran.structured, "as text");
	const steps = JSON.stringify([{ tool_id: "demo:echo", args: { text: "a step" } }]);
	assert.equal((await demo.data("run_chain", { steps })).final, "a step");
	await assert.rejects(
		demo.call("run_tool", { tool_id: "demo:echo", args: "[1]" }),
		/args: expected object, got string/,
	);
});

test("a tool that is called as if it were the gateway's own is told how to be run, unless it is hidden", async (t) => {
	const hidden = { check: ({ name }: { name: string }) => ({ kind: name === "fail" ? "hide" : "allow" }) as const };
	const own = await testGateway({ gates: [hidden] });
	t.after(() => own.stop());
	for (const name of ["demo:echo", "echo"])
		await assert.rejects(own.call(name, { text: "a" }), /; run_tool runs it: \{"tool_id":"demo:echo","args":\{…\}\}$/);
	await assert.rejects(own.call("demo:fail", {}), /, got "demo:fail"$/);
});

test("a result that breaks the tool's own output schema is an error that says that the tool has run, and what it gave", async (t) => {
	const error = await demo.error("run_tool", { tool_id: "demo:bad_output" });
	const problem = 'structured/id: expected integer, got string "seven"';
	const ran = "has run, but its result does not fit its output schema:";
	const message = `demo:bad_output ${ran} ${problem}; to call it again may repeat its effect. It gave: {"id":"seven"}`;
	assert.deepEqual([error.code, error.message, error.retryable], ["validation_output", message, false]);
	const upstream = { content: [{ type: "text", text: "{}" }], structuredContent: { id: "seven" } };
	assert.deepEqual(error.details, { problems: [problem], outcome: "completed", upstream });
	const chain = await demo.error("run_chain", { steps: [{ tool_id: "demo:bad_output" }] });
	assert.equal(chain.message, `Step 0 (demo:bad_output) failed: ${message}`);
	const outputSchema = { type: "object" };
	const tool = { name: "none", inputSchema: outputSchema, outputSchema, annotations: { readOnlyHint: true } };
	const own = await testGateway({ tools: [tool] });
	t.after(() => own.stop());
	own.peers.of("demo").answers.set("none", { content: [{ type: "text", text: "made 12" }] });
	assert.equal(
		(await own.error("run_tool", { tool_id: "demo:none" })).message,
		`demo:none ${ran} structured: expected structuredContent, as the tool's output schema promises, got none. It gave: made 12`,
	);
});

test("an output schema that a server gives as null promises nothing", async (t) => {
	const unset = { outputSchema: null, annotations: null, description: null, title: null, _meta: null };
	const tool = { name: "count", inputSchema: { type: "object" }, ...unset } as unknown as Tool;
	const own = await testGateway({ tools: [tool] });
	t.after(() => own.stop());
	own.peers.of("demo").answers.set("count", { content: [{ type: "text", text: "made 12" }] });
	assert.equal((await own.data("run_tool", { tool_id: "demo:count" })).structured, "made 12");
});

verifies(
	["004-error-semantics-tool-errors", "004-tradeoffs-error-object"],
	"a tool that fails is isError with one ErrorObject shape, and no stack",
	async () => {
		const failures = [
			["run_tool", { tool_id: "demo:fail" }],
			["run_tool", { tool_id: "demo:refuse" }],
			["run_tool", { tool_id: "demo:none" }],
			["describe_tool", { tool_id: "demo:none", detail_level: "full" }],
			["list_tool_examples", { tool_id: "demo:none" }],
			["run_chain", { steps: [{ tool_id: "demo:fail" }] }],
			["describe_toolset", { toolset_id: "toolset:none" }],
			["describe_skill", { skill_id: "skill:none" }],
			["plan_skill", { skill: { steps: [{ tool_id: "demo:none" }] } }],
			["read_result", { handle: "r_none" }],
		] as const;
		for (const [name, args] of failures) {
			const error = await demo.error(name, args);
			assert.equal(typeof error.code, "string", name);
			assert.equal(typeof error.message, "string", name);
			assert.equal(typeof error.retryable, "boolean", name);
			for (const key of Object.keys(error))
				assert(
					["code", "message", "tool_id", "op", "backend_kind", "step_index", "retryable", "details"].includes(key),
					key,
				);
			assert.doesNotMatch(JSON.stringify(error), /\bat .+:\d+:\d+|node:internal/, name);
		}
	},
);

test("a defect of a backend is reported without its text, which goes to the log", async (t) => {
	const broken = await testGateway({
		servers: [],
		localTools: [
			{
				definition: { name: "broken" },
				run: () => {
					throw new TypeError("secret path /etc/x");
				},
			},
		],
	});
	t.after(() => broken.stop());
	const error = await broken.error("run_tool", { tool_id: "local:broken" });
	assert.equal(error.code, "internal");
	assert.doesNotMatch(JSON.stringify(error), /secret/);
});

verifies(
	"004-error-semantics-upstream-passthrough",
	"what the server said of a failed call arrives with its own code and text",
	async () => {
		const failed = await demo.error("run_tool", { tool_id: "demo:fail" });
		assert.equal(failed.code, "execution_failed");
		assert.equal(failed.message, "the disk is full");
		assert.deepEqual((failed.details as { upstream: unknown }).upstream, {
			isError: true,
			content: [{ type: "text", text: "the disk is full" }],
		});
		const refused = await demo.error("run_tool", { tool_id: "demo:refuse" });
		assert.equal(refused.message, "MCP says: no such row");
		assert.deepEqual((refused.details as { upstream: unknown }).upstream, {
			code: -32602,
			message: "MCP says: no such row",
			data: { row: 9 },
		});
	},
);

verifies(
	"004-error-semantics-run-tool-stream",
	"stream: true is refused as not supported, and nothing runs",
	async () => {
		const before = demo.peers.of("demo").calls.length;
		const error = await demo.error("run_tool", { tool_id: "demo:echo", args: { text: "x" }, stream: true });
		assert.equal(error.code, "stream_not_supported");
		assert.equal(error.op, "stream");
		assert.match(String(error.message), /not supported/);
		assert.equal(demo.peers.of("demo").calls.length, before);
		await demo.data("run_tool", { tool_id: "demo:echo", args: { text: "x" }, stream: false });
	},
);

verifies(
	"004-error-semantics-run-tool-backend-override",
	"backend_override is refused as not supported, and nothing runs",
	async () => {
		const before = demo.peers.of("demo").calls.length;
		const error = await demo.error("run_tool", {
			tool_id: "demo:echo",
			args: { text: "x" },
			backend_override: { kind: "local", name: "ping" },
		});
		assert.equal(error.code, "backend_override_invalid");
		assert.match(String(error.message), /not supported/);
		assert.equal(demo.peers.of("demo").calls.length, before);
	},
);

verifies(
	"004-error-semantics-protocol-errors",
	"input that cannot be understood is a JSON-RPC error that names the field",
	async () => {
		const cases = [
			["run_tool", [1], /arguments: expected an object/],
			["run_tool", { tool_id: 7 }, /arguments\/tool_id: expected string, got number 7/],
			["run_tool", { tool_id: "demo:echo", args: "text" }, /arguments\/args: expected object/],
			["run_tool", { tool_id: "demo:echo", colour: 1 }, /arguments\/colour: expected no such field/],
			["run_chain", { steps: [] }, /arguments\/steps/],
			["run_chain", {}, /arguments\/steps: expected a value, got none/],
			["search_tools", { query: 5 }, /arguments\/query/],
			["plan_skill", {}, /exactly one of skill_id and skill/],
		] as const;
		for (const [name, args, message] of cases) {
			await assert.rejects(demo.call(name, args), (error: RpcError) => {
				assert.equal(error.name, "RpcError");
				assert.equal(error.code, -32602);
				assert.match(error.message, message);
				return true;
			});
		}
		await assert.rejects(
			demo.call("no_such_metatool", {}),
			(error: RpcError) => error.code === -32602 && (error.data as { code: string }).code === "UNKNOWN_TOOL",
		);
	},
);

verifies(
	"004-error-semantics-cancelled-code",
	"a cancelled run ends as cancelled and the server hears of it",
	async () => {
		const stop = new AbortController();
		const running = demo.error("run_tool", { tool_id: "demo:slow" }, { signal: stop.signal });
		await until(() => demo.peers.of("demo").calls.at(-1) === "slow");
		stop.abort();
		const error = await running;
		assert.equal(error.code, "cancelled");
		assert.equal(error.retryable, false);
		await until(() => demo.peers.of("demo").cancelled.length === 1);
	},
);

verifies(
	"004-error-semantics-timeout-code",
	"a run past its deadline ends as timeout and the server is told to stop",
	async () => {
		const before = demo.peers.of("demo").cancelled.length;
		const error = await demo.error("run_tool", { tool_id: "demo:slow", timeout_ms: 40 });
		assert.equal(error.code, "timeout");
		assert.equal(error.tool_id, "demo:slow");
		assert.match(
			String(error.message),
			/within 40 ms, so the call was cancelled; it may or may not have taken effect, so check before repeating it \(timeout_ms of the call, or execution_timeout of its server, gives it longer\)\.$/,
		);
		await until(() => demo.peers.of("demo").cancelled.length === before + 1);
	},
);

test("the configured deadline holds for every run that names none", async (t) => {
	const short = await testGateway({ settings: { timeout: 30 } });
	t.after(() => short.stop());
	assert.equal((await short.error("run_tool", { tool_id: "demo:slow" })).code, "timeout");
	const chain = await short.error("run_chain", { steps: [{ tool_id: "demo:slow" }] });
	assert.equal(chain.code, "timeout");
	assert.equal(chain.step_index, 0);
});

const progressOf = (gateway: TestGateway) =>
	gateway.notifications.filter((note) => note.method === "notifications/progress").map((note) => note.params);

verifies(
	["004-extension-points-progress-run-tool", "004-extension-points-progress-coarse"],
	"run_tool reports a start and an end when a token is given, and nothing without one",
	async (t) => {
		const own = await testGateway();
		t.after(() => own.stop());
		await own.data("run_tool", { tool_id: "demo:echo", args: { text: "x" } });
		assert.deepEqual(progressOf(own), []);
		await own.data("run_tool", { tool_id: "demo:echo", args: { text: "x" } }, { progressToken: "p1" });
		assert.deepEqual(progressOf(own), [
			{ progress: 0, total: 1, message: "started" },
			{ progressToken: "p1", progress: 1, total: 1, message: "completed" },
		]);
		own.notifications.length = 0;
		await own.error("run_tool", { tool_id: "demo:fail" }, { progressToken: "p2" });
		assert.equal(progressOf(own).at(-1)?.message, "error");
	},
);

verifies(
	"004-extension-points-progress-forwarded",
	"what the server reports is forwarded under the caller's token",
	async (t) => {
		const own = await testGateway();
		t.after(() => own.stop());
		await own.data("run_tool", { tool_id: "demo:steps", args: { steps: 3 } }, { progressToken: "mine" });
		const messages = progressOf(own).map((note) => note.message);
		assert.deepEqual(messages, ["started", "step 1", "step 2", "step 3"]);
		assert.equal(progressOf(own).at(-1)?.progressToken, "mine");
	},
);

test("a long answer is cut visibly, and read_result pages through all of it", async () => {
	const result = await demo.call("run_tool", { tool_id: "demo:big", args: { chars: 9_000 }, max_chars: 1_000 });
	const data = result.structuredContent as {
		structured: string;
		truncated: { handle: string; totalChars: number; nextOffset: number };
	};
	assert(JSON.stringify(data).length < 1_300);
	assert(texts(result).length <= 1_000);
	assert.match(texts(result), /… cut: \d+ of 9000 characters more; read_result/);
	assert.equal(data.truncated.totalChars, 9_000);
	let text = data.structured;
	let offset: number | undefined = data.truncated.nextOffset;
	assert.equal(text.length, offset);
	while (offset !== undefined) {
		const page = await demo.data("read_result", { handle: data.truncated.handle, offset, max_chars: 4_000 });
		text += page.text;
		offset = page.nextOffset as number | undefined;
	}
	assert.equal(text, "x".repeat(9_000));
});

test("a long list is cut between characters, and read_result goes on with the very next one", async (t) => {
	const tool = { description: "😀 ".repeat(9), inputSchema: { type: "object" } };
	const tools = Array.from({ length: 60 }, (_, at) => ({ name: `tool_${at}`, ...tool }));
	const own = await testGateway({ tools });
	t.after(() => own.stop());
	for (const render of ["porcelain", "json"]) {
		const whole = texts(await own.call("list_tools", { limit: 100, render }));
		for (const max_chars of [1_000, 1_001, 1_002]) {
			const cut = texts(await own.call("list_tools", { limit: 100, render, max_chars }));
			assert(cut.length <= max_chars);
			const [, shown = "", handle, offset] = /^(.*)\n… cut: .*"handle":"(.*)","offset":(\d+)\}$/s.exec(cut) ?? [];
			const rest = await own.data("read_result", { handle, offset: Number(offset), max_chars: 100_000 });
			assert.equal(shown + String(rest.text), whole);
			assert(shown.isWellFormed());
		}
	}
});

test("data that does not fit beside the words for it can be read on, and the words stay whole", async (t) => {
	const own = await testGateway({ tools: [{ name: "rows", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const rows = Array.from({ length: 400 }, (_, n) => ({ n }));
	const words = "There are many rows. ".repeat(45).trim();
	own.peers.of("demo").answers.set("rows", {
		content: [{ type: "text", text: words }],
		structuredContent: { rows },
	});
	for (const render of ["porcelain", "json"]) {
		const result = await own.call("run_tool", { tool_id: "demo:rows", max_chars: 1_000, render });
		const { structured, truncated } = result.structuredContent as {
			structured: string;
			truncated: { handle: string; nextOffset: number };
		};
		const rest = await own.data("read_result", { handle: truncated.handle, offset: truncated.nextOffset });
		assert.deepEqual(JSON.parse(structured + String(rest.text)), { rows });
		if (render === "json") assert.deepEqual(JSON.parse(texts(result)), result.structuredContent);
		else
			assert.match(
				texts(result),
				new RegExp(`^${words}\nstructured … cut: \\d+ of \\d+ characters more; read_result `),
			);
	}
});

test("a tool's definition that does not fit beside a value is cut, and the value is not", async (t) => {
	const definition = { name: "rows", description: "d".repeat(5_000), inputSchema: { type: "object" } };
	const own = await testGateway({ tools: [definition] });
	t.after(() => own.stop());
	const structuredContent = { rows: [1, 2, 3] };
	own.peers.of("demo").answers.set("rows", {
		content: [{ type: "text", text: "There are three rows, 1 to 3." }],
		structuredContent,
	});
	for (const render of ["porcelain", "json"]) {
		const args = { tool_id: "demo:rows", include_tool: true, max_chars: 1_000, render };
		const result = await own.call("run_tool", args);
		assert(texts(result).length <= 1_000, render);
		const { structured, truncated } = Object(result.structuredContent);
		assert.deepEqual(structured, structuredContent, render);
		const rest = await own.data("read_result", { handle: truncated.handle, max_chars: 20_000 });
		assert.deepEqual(JSON.parse(String(rest.text)), { tool: definition });
	}
	const whole = await own.data("run_tool", { tool_id: "demo:rows", include_tool: true, max_chars: 20_000 });
	assert.deepEqual(whole.tool, definition);
});

test("the definitions of a chain's tools that do not fit beside its values are cut, and the values are not", async (t) => {
	const definition = { name: "rows", description: "d".repeat(5_000), inputSchema: { type: "object" } };
	const own = await testGateway({ tools: [definition] });
	t.after(() => own.stop());
	const structuredContent = { rows: [1, 2, 3] };
	own.peers.of("demo").answers.set("rows", { content: [], structuredContent });
	const steps = [{ tool_id: "demo:rows" }, { tool_id: "demo:rows" }];
	for (const render of ["porcelain", "json"]) {
		const result = await own.call("run_chain", { steps, include_tools: true, max_chars: 1_000, render });
		assert(texts(result).length <= 1_000, render);
		assert(JSON.stringify(result.structuredContent).length <= 1_000, render);
		const { results, final, truncated } = Object(result.structuredContent);
		assert.deepEqual([results[0].structured, final], [structuredContent, structuredContent], render);
		const rest = await own.data("read_result", { handle: truncated.handle, max_chars: 20_000 });
		assert.deepEqual(JSON.parse(String(rest.text)), { tools: { "demo:rows": definition } });
	}
	const whole = await own.data("run_chain", { steps, include_tools: true, max_chars: 20_000 });
	assert.deepEqual(Object(whole.results)[1].tool, definition);
});

test("a text that fits is not called cut because its JSON is longer", async () => {
	const text = '"a"\n'.repeat(200);
	const result = await demo.call("run_tool", { tool_id: "demo:echo", args: { text }, max_chars: 900 });
	assert.equal(texts(result), text);
	assert.equal(Object(result.structuredContent).structured, text);
	assert.equal(Object(result.structuredContent).truncated, undefined);
});

test("a chain's last value that is too long is begun by itself, and read_result goes on with it", async () => {
	const long = { tool_id: "demo:big", args: { chars: 9_000 } };
	const echo = { tool_id: "demo:echo", args: { text: "short" } };
	for (const steps of [[long], [echo, long], [long, long], [long, { tool_id: "demo:fail" }]])
		for (const render of ["porcelain", "json"]) {
			const { structuredContent } = await demo.call("run_chain", { steps, max_chars: 1_000, render });
			const { final, truncated } = Object(structuredContent);
			assert.match(final, /^x{500,}$/);
			const { handle, nextOffset } = truncated;
			const rest = await demo.data("read_result", { handle, offset: nextOffset, max_chars: 20_000 });
			const [value] = (final + String(rest.text)).split("\n");
			assert.equal(value, "x".repeat(9_000));
		}
});

test("a chain that fails keeps the short value before the failure as it is, however long the others are", async () => {
	const steps = [
		{ tool_id: "demo:big", args: { chars: 9_000 } },
		{ tool_id: "demo:echo", args: { text: "short" } },
	];
	const failed = await demo.call("run_chain", { steps: [...steps, { tool_id: "demo:fail" }], max_chars: 1_000 });
	assert.equal(Object(failed.structuredContent).final, "short");
	const first = await demo.call("run_chain", { steps: [{ tool_id: "demo:fail" }], max_chars: 1_000 });
	assert.equal("final" in Object(first.structuredContent), false);
});

test("the last step of a chain is seen however long the steps before it are", async () => {
	const long = { tool_id: "demo:big", args: { chars: 9_000 } };
	const echo = (text: unknown) => ({ tool_id: "demo:echo", args: { text } });
	const done = await demo.call("run_chain", { steps: [long, echo("the end")], max_chars: 1_000 });
	assert.match(texts(done), /^0 demo:big: x+\n… cut: .*\n1 demo:echo: the end$/);
	assert.equal(Object(done.structuredContent).final, "the end");
	assert.equal(Object(done.structuredContent).truncated.nextOffset, 0, "nothing of the rest is in the data");
	const failed = await demo.call("run_chain", { steps: [long, { tool_id: "demo:fail" }], max_chars: 1_000 });
	assert.match(texts(failed), /\n1 demo:fail: error execution_failed \(demo:fail\): the disk is full$/);
	const steps = [long, echo("the end")].map(({ tool_id, args }) => ({ tool_id, inputs: args }));
	const ran = await demo.call("run_skill", { skill: { name: "both", steps }, max_chars: 1_000 });
	assert.match(texts(ran), /… cut: .*\n\S+: the end$/);
});

test("a long failure is cut like any answer, and read_result has the whole of it", async (t) => {
	const failing = await testGateway({
		servers: [],
		localTools: ["a", "b"].map((name) => ({
			definition: { name },
			run: () => {
				throw new ToolError("execution_failed", "m".repeat(90_000), {
					details: { small: 1, upstream: "d".repeat(90_000) },
				});
			},
		})),
	});
	t.after(() => failing.stop());
	for (const render of ["porcelain", "json"]) {
		const result = await failing.call("run_tool", { tool_id: "local:a", render });
		assert(JSON.stringify(result).length < 10_000);
		const { error, truncated } = result.structuredContent as {
			error: { code: string; message: string; details: unknown };
			truncated: { handle: string; totalChars: number; nextOffset: number };
		};
		assert.equal(error.code, "execution_failed");
		assert.equal(error.message, `${"m".repeat(1_999)}…`);
		assert.deepEqual(error.details, { small: 1 });
		assert.equal(truncated.nextOffset, 0);
		const page = await failing.data("read_result", { handle: truncated.handle, max_chars: 400_000 });
		assert.equal(JSON.parse(String(page.text)).error.details.upstream.length, 90_000);
	}
	const chain = await failing.call("run_chain", { steps: [{ tool_id: "local:ping" }, { tool_id: "local:b" }] });
	assert(JSON.stringify(chain).length < 100_000);
	const { results } = chain.structuredContent as { results: { error?: { message: string; details: unknown } }[] };
	assert.equal(results[1]?.error?.message.length, 2_000);
	assert.deepEqual(results[1]?.error?.details, { small: 1 });
});

test("no answer is longer than clients of the official SDK can take, whatever was asked for", async (t) => {
	const most = 10 * 1_024 * 1_024;
	const image = { type: "image", mimeType: "image/png", data: "A".repeat(8_000_000) };
	const own = await testGateway({
		tools: ["text", "images"].map((name) => ({ name, inputSchema: { type: "object" } })),
	});
	t.after(() => own.stop());
	const peer = own.peers.of("demo");
	peer.answers.set("text", { content: [{ type: "text", text: "\u0001".repeat(3_000_000) }] });
	peer.answers.set("images", { content: [image, image] });
	const long = await own.call("run_tool", { tool_id: "demo:text", max_chars: 100_000_000 });
	assert(Buffer.byteLength(JSON.stringify(long)) < most);
	assert.match(texts(long), /… cut: \d+ of 3000000 characters more/);
	const { handle } = (long.structuredContent as { truncated: { handle: string } }).truncated;
	const page = await own.call("read_result", { handle, max_chars: 100_000_000 });
	assert(Buffer.byteLength(JSON.stringify(page)) < most);
	const drawn = await own.call("run_tool", { tool_id: "demo:images", include_mcp_result: true });
	assert(Buffer.byteLength(JSON.stringify(drawn)) < most);
	const [, first, second] = drawn.content as { type: string; text?: string }[];
	assert.deepEqual(first, image);
	assert.match(second?.text ?? "", /^… left out: image of 8\d+ bytes, more than a client can take$/);
});

test("an id that no tool can have is refused before it is compared with all there are", async () => {
	const began = process.cpuUsage().user;
	for (const name of ["run_tool", "list_tool_examples"]) {
		const error = await demo.error(name, { tool_id: `demo:${"x".repeat(8_000_000)}` });
		assert.equal(error.op, "validate_tool_id");
		assert(JSON.stringify(error).length < 500);
	}
	assert((process.cpuUsage().user - began) / 1e6 < 5);
	for (const [name, args] of [
		["describe_toolset", { toolset_id: "x".repeat(100_000) }],
		["describe_skill", { skill_id: "x".repeat(100_000) }],
	] as const)
		assert(JSON.stringify(await demo.error(name, args)).length < 1_000);
});

test("a chain that was cancelled counts as cancelled, not as failed", async (t) => {
	const own = await testGateway();
	t.after(() => own.stop());
	const stop = new AbortController();
	const running = own.error("run_chain", { steps: [{ tool_id: "demo:slow" }] }, { signal: stop.signal });
	await until(() => own.peers.of("demo").calls.includes("slow"));
	stop.abort();
	assert.equal((await running).code, "cancelled");
	const { totals } = own.gateway.ledger.snapshot();
	assert.deepEqual([totals.requests, totals.errors, totals.cancelled], [1, 0, 1]);
});

test("bytes that a structured value repeats are not written out as text", async () => {
	const image = { type: "image", mimeType: "image/png", data: "A".repeat(4_000) };
	demo.peers.of("demo").answers.set("count", { content: [image], structuredContent: { content: [image], width: 7 } });
	const result = await demo.call("run_tool", { tool_id: "demo:count" });
	demo.peers.of("demo").answers.delete("count");
	const text = '{"content":[{"type":"image","mimeType":"image/png","bytes":3000}],"width":7}';
	assert.deepEqual(result.content, [{ type: "text", text }, image]);
});

test("an image beside a structured value is shown by a chain as by run_tool, and at most twenty of them", async (t) => {
	const own = await testGateway({ tools: [{ name: "draw", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const image = { type: "image", mimeType: "image/png", data: "aGk=" };
	const said = { type: "text", text: '{"id":7}' };
	own.peers.of("demo").answers.set("draw", { content: [said, image], structuredContent: { id: 7 } });
	const ran = await own.call("run_tool", { tool_id: "demo:draw" });
	assert.deepEqual((ran.content as unknown[]).slice(1), [image]);
	const chain = await own.call("run_chain", { steps: [{ tool_id: "demo:draw" }] });
	assert.deepEqual(chain.content, [{ type: "text", text: '0 demo:draw: {"id":7}\n[image image/png 2 bytes]' }, image]);
	const over = Array.from({ length: 30 }, () => ({}));
	const many = await own.call("run_chain", {
		steps: [{ tool_id: "demo:draw", map: { over } }],
	});
	assert.equal((many.content as unknown[]).length, 21);
	assert.match(texts(many), /\n… 10 more are left out; run_tool shows those of one call/);
	own.peers.of("demo").answers.set("draw", { content: [image], structuredContent: { content: [image] } });
	const repeated = await own.call("run_chain", { steps: [{ tool_id: "demo:draw" }] });
	assert.deepEqual((repeated.content as unknown[]).slice(1), [image], "once");
});

test("of several images, those that a structured value does not repeat stand beside it, wherever it is shown", async (t) => {
	const own = await testGateway({ tools: [{ name: "draw", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const image = (data: string) => ({ type: "image", mimeType: "image/png", data });
	const content = [image("aGk="), image("aGVsbG8=")];
	own.peers.of("demo").answers.set("draw", { content, structuredContent: { first: content[0] } });
	const steps = [{ tool_id: "demo:draw" }];
	for (const [name, args] of Object.entries({
		run_tool: steps[0],
		run_chain: { steps },
		run_skill: { skill: { steps } },
	})) {
		const result = await own.call(name, args);
		assert.deepEqual((result.content as unknown[]).slice(1), content, name);
		assert.match(texts(result), /\{"first":\{.*"bytes":2\}\}\n\[image image\/png 5 bytes\]\n+$/, name);
	}
});

test("what stands beside structured values is named however much of these is cut", async (t) => {
	const own = await testGateway({ tools: [{ name: "draw", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const content = [
		{ type: "image", mimeType: "image/png", data: "aGk=" },
		{ type: "resource_link", uri: "x:1", name: "log" },
	];
	const rows = Array.from({ length: 400 }, (_, n) => ({ n }));
	own.peers.of("demo").answers.set("draw", { content, structuredContent: { rows } });
	const steps = [{ tool_id: "demo:draw" }];
	for (const [name, args] of Object.entries({
		run_tool: steps[0],
		run_chain: { steps },
		run_skill: { skill: { steps } },
	})) {
		const result = await own.call(name, { ...args, max_chars: 1_000 });
		assert.match(
			texts(result),
			/… cut: .*\n\[image image\/png 2 bytes\]\n\[resource_link log x:1; read_result .*\]\n+$/,
			name,
		);
		assert.deepEqual((result.content as unknown[]).slice(1), content, name);
	}
	const short = texts(await own.call("run_tool", { tool_id: "demo:draw", max_chars: 300 }));
	assert.match(short, /\n\[image image\/png 2 bytes\]\n…\n+$/, "no part of a handle");
	const run = await own.data("run_tool", { tool_id: "demo:draw", max_chars: 1_000 });
	const { handle, nextOffset } = Object(run.truncated);
	const { text } = await own.data("read_result", { handle, offset: nextOffset });
	assert.deepEqual(JSON.parse(`${run.structured}${text}`), { rows });
});

test("the text of resources beside structured values counts too, and can be read on where it does not fit", async (t) => {
	const own = await testGateway({ tools: [{ name: "read", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const resource = (uri: string, text: string) => ({ type: "resource", resource: { uri, text } });
	const short = resource("x:1", "short");
	const long = [resource("x:2", "long ".repeat(2_000)), resource("x:3", "more ".repeat(2_000))];
	own.peers.of("demo").answers.set("read", { content: [short, ...long], structuredContent: { n: 1 } });
	const named = "[resource x:1 5 characters]\n[resource x:2 10000 characters]\n[resource x:3 10000 characters]";
	const steps = [{ tool_id: "demo:read" }];
	for (const [name, args] of Object.entries({ run_tool: steps[0], run_chain: { steps } })) {
		const { content } = await own.call(name, { ...args, max_chars: 1_000 });
		const [{ text = "" } = {}, shown, left, ...none] = content as { text?: string }[];
		assert.ok(text.endsWith(`{"n":1}\n${named}`), name);
		assert.deepEqual([shown, none], [short, []]);
		const [, handle] = /^2 resources … cut: .*read_result {"handle":"(.*?)","offset":0}$/.exec(left?.text ?? "") ?? [];
		const rest = await own.data("read_result", { handle, max_chars: 100_000 });
		assert.equal(
			rest.text,
			long.map(({ resource: { uri, text } }) => `[resource ${uri} 10000 characters]\n${text}`).join("\n"),
		);
	}
	const whole = await own.call("run_tool", steps[0]);
	assert.deepEqual((whole.content as unknown[]).slice(1), [short, ...long]);
});

test("a value that is cut is not longer as JSON than the limit, however many quotes it has", async (t) => {
	const own = await testGateway({ tools: [{ name: "rows", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const rows = Array.from({ length: 400 }, () => '"\u0001"');
	own.peers.of("demo").answers.set("rows", { content: [], structuredContent: { rows } });
	const asked = { tool_id: "demo:rows", max_chars: 2_000 };
	const result = await own.call("run_tool", { ...asked, render: "json" });
	assert.ok(texts(result).length <= 2_000, `${texts(result).length}`);
	const { structured, truncated } = Object(result.structuredContent);
	const rest = await own.data("read_result", { handle: truncated.handle, offset: truncated.nextOffset });
	assert.deepEqual(JSON.parse(structured + rest.text), { rows });
	const { length } = JSON.stringify((await own.call("run_tool", asked)).structuredContent);
	assert.ok(length <= 4_000, `${length}`);
});

test("images are handed on as they are", async () => {
	const result = await demo.call("run_tool", { tool_id: "demo:image" });
	assert.deepEqual((result.content as unknown[])[1], { type: "image", mimeType: "image/png", data: "aGk=" });
});

test("what is encoded in an answer is told by its size, and stands beside it as it is", async (t) => {
	const own = await testGateway({ tools: [{ name: "draw", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const content = [
		{ type: "text", text: "see" },
		{ type: "image", mimeType: "image/png", data: "aGVsbG8=" },
		{ type: "resource", resource: { uri: "x:1", mimeType: "application/pdf", blob: "aGVsbG8=" } },
		{ type: "resource", resource: { uri: "x:2", text: "read me" } },
	];
	own.peers.of("demo").answers.set("draw", { content });
	const result = await own.call("run_tool", { tool_id: "demo:draw" });
	assert.deepEqual((result.structuredContent as { structured: unknown }).structured, [
		{ type: "text", text: "see" },
		{ type: "image", mimeType: "image/png", bytes: 5 },
		{ type: "resource", resource: { uri: "x:1", mimeType: "application/pdf", bytes: 5 } },
		{ type: "resource", resource: { uri: "x:2", text: "read me" } },
	]);
	assert.deepEqual((result.content as unknown[]).slice(1), content.slice(1));
	assert.equal(
		(result.content as { text: string }[])[0]?.text,
		"see\n[image image/png 5 bytes]\n[resource x:1 application/pdf 5 bytes]\n[resource x:2 7 characters]",
	);
	const whole = await own.data("run_tool", { tool_id: "demo:draw", include_mcp_result: true });
	assert.deepEqual(whole.mcpResult, { content });
	const chain = await own.call("run_chain", { steps: [{ tool_id: "demo:draw" }, { tool_id: "demo:draw" }] });
	assert.deepEqual((chain.content as unknown[]).slice(1), [...content.slice(1, 3), ...content.slice(1, 3)]);
	assert.doesNotMatch(JSON.stringify([chain.structuredContent, (chain.content as unknown[])[0]]), /aGVs/);
});

test("what a failing tool shows stands beside its error, which has only its size", async (t) => {
	const own = await testGateway({ tools: [{ name: "click", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const image = { type: "image", mimeType: "image/png", data: "A".repeat(400_000) };
	const said = { type: "text", text: "no such button" };
	own.peers.of("demo").answers.set("click", { content: [said, image], isError: true });
	const result = await own.call("run_tool", { tool_id: "demo:click" });
	assert.deepEqual(result.content, [
		{ type: "text", text: "error execution_failed (demo:click): no such button" },
		image,
	]);
	const { error } = result.structuredContent as { error: { details: { upstream: { content: unknown } } } };
	assert.deepEqual(error.details.upstream.content, [said, { type: "image", mimeType: "image/png", bytes: 300_000 }]);
	const chain = await own.call("run_chain", { steps: [{ tool_id: "demo:click" }] });
	assert.deepEqual((chain.content as unknown[]).slice(1), [image]);
	assert.doesNotMatch(JSON.stringify([chain.structuredContent, (chain.content as unknown[])[0]]), /AAAA/);
});

test("a raw result that does not fit beside the value leaves the value whole, and can be read on", async (t) => {
	const own = await testGateway({ tools: [{ name: "rows", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const rows = { rows: Array.from({ length: 300 }, (_, id) => ({ id, name: `row number ${id}` })) };
	const raw = { content: [{ type: "text", text: JSON.stringify(rows) }], structuredContent: rows };
	own.peers.of("demo").answers.set("rows", raw);
	const asked = { tool_id: "demo:rows", include_mcp_result: true };
	assert.deepEqual((await own.data("run_tool", { ...asked, max_chars: 100_000 })).mcpResult, raw);
	const result = await own.call("run_tool", { ...asked, max_chars: 12_000 });
	const { structured, mcpResult, truncated } = Object(result.structuredContent);
	assert.deepEqual([structured, mcpResult], [rows, undefined]);
	assert.match(texts(result), /\nmcpResult … cut: \d+ of \d+ characters more; read_result /);
	const { text } = await own.data("read_result", { handle: truncated.handle, max_chars: 100_000 });
	assert.deepEqual(JSON.parse(String(text)), { mcpResult: raw });
});

test("asking for the raw result changes nothing about the value, however nearly that fits", async (t) => {
	const own = await testGateway({ tools: [{ name: "rows", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const rows = { rows: Array.from({ length: 40 }, (_, id) => ({ id, name: `row number ${id}` })) };
	const raw = { content: [{ type: "text", text: JSON.stringify(rows) }], structuredContent: rows };
	own.peers.of("demo").answers.set("rows", raw);
	const { length } = texts(await own.call("run_tool", { tool_id: "demo:rows" }));
	for (const max_chars of [length - 200, length - 1, length, length + 1, length + 100])
		for (const render of ["porcelain", "json"]) {
			const asked = { tool_id: "demo:rows", max_chars, render };
			const plain = Object((await own.call("run_tool", asked)).structuredContent);
			const result = await own.call("run_tool", { ...asked, include_mcp_result: true });
			const { structured, truncated } = Object(result.structuredContent);
			assert.deepEqual(structured, plain.structured, `${render} in ${max_chars}`);
			const { handle } = plain.truncated === undefined ? truncated : truncated.mcpResult;
			assert.ok(texts(result).includes(handle), `${render} in ${max_chars}`);
			const { text } = await own.data("read_result", { handle, max_chars: 100_000 });
			assert.deepEqual(JSON.parse(String(text)), { mcpResult: raw });
		}
});

test("a step of a chain takes what is encoded in an earlier one as it is", async () => {
	const steps = [{ tool_id: "demo:image" }, { tool_id: "demo:echo", args: { text: { $from: "previous/0/data" } } }];
	assert.equal((await demo.data("run_chain", { steps })).final, "aGk=");
});

test("the text of a resource counts against the budget like any other", async (t) => {
	const own = await testGateway({ tools: [{ name: "read", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const content = [
		{ type: "resource", resource: { uri: "x:1", text: "long ".repeat(2_000) } },
		{ type: "image", mimeType: "image/png", data: "aGVsbG8=" },
	];
	own.peers.of("demo").answers.set("read", { content });
	const result = await own.call("run_tool", { tool_id: "demo:read", max_chars: 1_000 });
	const [text, shown, ...notes] = result.content as { text: string }[];
	assert.equal(text?.text, "[resource x:1 10000 characters]\n[image image/png 5 bytes]");
	assert.deepEqual(shown, content[1]);
	assert.match(notes.map((note) => note.text).join("\n"), /^1 resource … cut: .*\nstructured … cut: .*$/);
});

test("several texts, with a picture or without, are shown as they are and not as JSON, even where they are cut", async (t) => {
	const own = await testGateway({ tools: [{ name: "browse", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const rows = Array.from({ length: 400 }, (_, n) => `- link "number ${n}"`).join("\n");
	const said = [
		{ type: "text", text: 'page "one"' },
		{ type: "text", text: rows },
	];
	for (const picture of [[], [{ type: "image", mimeType: "image/png", data: "aGk=" }]]) {
		own.peers.of("demo").answers.set("browse", { content: [...said, ...picture] });
		const all = `page "one"\n${rows}`;
		const named = picture.length === 0 ? "" : "\n[image image/png 2 bytes]";
		const { content, structuredContent } = await own.call("run_tool", { tool_id: "demo:browse" });
		assert.deepEqual(content, [{ type: "text", text: `${all}${named}` }, ...picture]);
		assert.equal(Object(structuredContent).structured.length, 2 + picture.length);
		const cut = texts(await own.call("run_tool", { tool_id: "demo:browse", max_chars: 1_000 }));
		const [, beginning = "", handle, offset] = /^(.*)\n… cut: .*"handle":"(.*?)","offset":(\d+)}/s.exec(cut) ?? [];
		const { text } = await own.data("read_result", { handle, offset: Number(offset), max_chars: 40_000 });
		assert.equal(`${beginning}${text}`, `${all}${named}`);
	}
});

test("content of a type that MCP does not have, or of none, is shown as what it holds", async (t) => {
	const own = await testGateway({ tools: [{ name: "report", inputSchema: { type: "object" } }] });
	t.after(() => own.stop());
	const shows = async (...content: object[]) => {
		own.peers.of("demo").answers.set("report", { content });
		return texts(await own.call("run_tool", { tool_id: "demo:report" })).split("\n");
	};
	assert.deepEqual(await shows({ rows: [1, 2] }, { type: "text", text: "below" }, { type: "table", rows: [3] }), [
		'{"rows":[1,2]}',
		"below",
		'{"type":"table","rows":[3]}',
	]);
	const [film = ""] = await shows({ type: "video", data: "QUJD".repeat(1_000), title: "the end" });
	assert.match(film, /^\{"type":"video","data":"(?:QUJD)+[QUJ]*…","title":"the end"\}$/);
	const [table = ""] = await shows({ type: "table", rows: Array.from({ length: 5_000 }, (_, n) => n) });
	assert.match(table, /^\{"type":"table","rows":\[0,1,.*…$/);
	assert(table.length <= 2_000, `${table.length} characters`);
});
