import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { verifies } from "../../../../e2e/verifies.ts";
import { Catalog } from "../../src/catalog/catalog.ts";
import { ToolError } from "../../src/contract/errors.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import { ALLOW, checkAll, type Gate, HIDE, LOCAL_VIEWER, type Verdict } from "../../src/run/access.ts";
import type { BackendCall } from "../../src/run/backend.ts";
import { resolveTool } from "../../src/run/resolveTool.ts";
import { createRunner, type RunRequest } from "../../src/run/runner.ts";

const catalog = new Catalog();
catalog.set({
	namespace: "demo",
	definitions: [{ name: "it", inputSchema: { type: "object" } }],
	backendOf: () => ({ kind: "local", local: { name: "it" } }),
});
const tool = resolveTool(catalog, [], "demo:it", LOCAL_VIEWER);
const REFUSE: Verdict = { kind: "refuse", reason: "not now" };
const says = (verdict: Verdict): Gate => ({ check: () => verdict });
const request = { toolId: "demo:it", args: {}, viewer: LOCAL_VIEWER, signal: new AbortController().signal };

test("the strictest gate decides, wherever it stands", () => {
	const cases: [Verdict[], Verdict][] = [
		[[], ALLOW],
		[[ALLOW, ALLOW], ALLOW],
		[[REFUSE, ALLOW], REFUSE],
		[[ALLOW, REFUSE], REFUSE],
		[[HIDE, REFUSE, ALLOW], HIDE],
		[[REFUSE, HIDE], HIDE],
	];
	for (const [verdicts, strictest] of cases)
		assert.deepEqual(checkAll(verdicts.map(says), tool, LOCAL_VIEWER), strictest);
});

test("a run whose caller has gone reaches no backend", async () => {
	let ran = 0;
	const local = { run: async () => ({ structured: ++ran }) };
	const runner = createRunner({ catalog, backends: { local }, timeoutMs: () => 1_000 });
	const gone = { ...request, signal: AbortSignal.abort() };
	await assert.rejects(runner.run(gone), (error: ToolError) => error.object.code === "cancelled");
	assert.equal(ran, 0);
});

test("the time that finding the tool took counts against the deadline", async () => {
	const calls: BackendCall[] = [];
	const local = {
		run: async (call: BackendCall) => {
			calls.push(call);
			return { structured: 1 };
		},
	};
	const find = async () => {
		await delay(400);
		return tool;
	};
	const started = Date.now();
	await createRunner({ catalog, backends: { local }, timeoutMs: () => 60_000, find }).run({ ...request, toolId: "it" });
	const [call] = calls;
	assert(call !== undefined && call.deadline - started < 60_200, `${(call?.deadline ?? 0) - started} ms`);
});

verifies(
	"004-call-limit-progress",
	"a tool that reports progress has until the total limit, and one that falls silent until the other",
	async () => {
		const reporting = (everyMs: number, times: number, total = 2_000) => {
			const local = {
				run: async ({ onProgress }: BackendCall) => {
					for (let progress = 1; progress <= times; progress++) {
						await delay(everyMs);
						onProgress?.({ progress });
					}
					if (times < 10) await delay(5_000, undefined, { ref: false });
					return { structured: "done" };
				},
			};
			const runner = createRunner({ catalog, backends: { local }, timeoutMs: () => 200, totalTimeoutMs: () => total });
			return (given: Partial<RunRequest> = {}) =>
				runner.run({ ...request, ...given }).then(
					({ structured }) => structured,
					({ message }: ToolError) => message,
				);
		};
		assert.equal(await reporting(40, 20)(), "done", "800 ms in all, though its caller wants no progress");
		const silent = "demo:it did not answer within 200 ms";
		assert.match(
			String(await reporting(40, 0)()),
			new RegExp(`^${silent}, so the call was cancelled;.*execution\\.timeout, gives`),
		);
		assert.match(
			String(await reporting(40, 3)()),
			new RegExp(`^${silent} of the last it reported, so the call was cancelled;`),
		);
		assert.match(
			String(await reporting(40, 1_000, 500)()),
			/^demo:it did not answer within 500 ms, so the call was cancelled;.*or execution\.total_timeout, gives it longer/,
		);
		assert.match(
			String(await reporting(40, 20)({ timeoutMs: 250 })),
			/^demo:it did not answer within 250 ms, so/,
			"a caller that says how long it waits is taken at its word",
		);
	},
);

test("what a backend says after it was told to stop is not the reason", async () => {
	const local = {
		run: ({ signal }: BackendCall) =>
			new Promise<never>((_, reject) =>
				signal.addEventListener("abort", () => reject(new ToolError("execution_failed", "socket hang up"))),
			),
	};
	const runner = createRunner({ catalog, backends: { local }, timeoutMs: () => 50 });
	await assert.rejects(runner.run(request), (error: ToolError) => error.object.code === "timeout");
});

test("a timeout says whether a server that was asked for progress sent anything for the call", async () => {
	const remote = new Catalog();
	remote.set({
		namespace: "demo",
		definitions: [
			{ name: "it", inputSchema: { type: "object" } },
			{ name: "task", inputSchema: { type: "object" }, execution: { taskSupport: "required" } },
		],
		backendOf: () => ({ kind: "mcp", mcp: { serverName: "demo" } }),
	});
	const late = async (toolId: string, isHeard: boolean, isAsked = true): Promise<string> => {
		const mcp = {
			run: ({ onProgress }: BackendCall) => {
				if (isHeard) onProgress?.({ progress: 1 });
				return new Promise<never>(() => {});
			},
		};
		const runner = createRunner({ catalog: remote, backends: { mcp }, timeoutMs: () => 30 });
		const asked = isAsked ? { onProgress: () => {} } : {};
		return runner.run({ ...request, toolId, ...asked }).then(String, ({ message }) => message);
	};
	assert.match(
		await late("demo:it", false),
		/gives it longer\)\. Its server has sent nothing for this call and may hang\.$/,
	);
	assert.match(await late("demo:it", true), /gives it longer\)\.$/);
	assert.match(await late("demo:task", false), /gives it longer\)\.$/);
	assert.match(await late("demo:it", false, false), /gives it longer\)\.$/);
});

test("a call that is late may be repeated only if its tool is declared safe, and else its outcome is unknown", async () => {
	const declared = new Catalog();
	const safe = { inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
	declared.set({
		namespace: "demo",
		definitions: [
			{ name: "look", ...safe },
			{ name: "pay", inputSchema: { type: "object" } },
		],
		backendOf: ({ name }) => ({ kind: "local", local: { name } }),
	});
	const local = { run: () => new Promise<never>(() => {}) };
	const runner = createRunner({ catalog: declared, backends: { local }, timeoutMs: () => 30 });
	const late = (toolId: string, given: Partial<RunRequest> = {}) =>
		runner.run({ ...request, toolId, ...given }).then(
			() => assert.fail("it answered"),
			({ object: { message, retryable, details } }: ToolError) => ({ message, retryable, details }),
		);
	assert.deepEqual(await late("demo:look"), {
		message:
			"demo:look did not answer within 30 ms, so the call was cancelled; timeout_ms of the call, or execution.timeout, gives it longer.",
		retryable: true,
		details: undefined,
	});
	assert.deepEqual(await late("demo:pay"), {
		message:
			"demo:pay did not answer within 30 ms, so the call was cancelled; it may or may not have taken effect, so check before repeating it (timeout_ms of the call, or execution.timeout, gives it longer).",
		retryable: false,
		details: { outcome: "unknown" },
	});
	const ofTheWholeRun = () => ({ signal: AbortSignal.timeout(30), timeoutMs: 60_000 });
	assert.deepEqual(await late("demo:look", ofTheWholeRun()), {
		message:
			"demo:look did not answer before the deadline of the whole run, so the call was cancelled; a longer one gives it more time.",
		retryable: true,
		details: undefined,
	});
	assert.deepEqual(await late("demo:pay", ofTheWholeRun()), {
		message:
			"demo:pay did not answer before the deadline of the whole run, so the call was cancelled; it may or may not have taken effect, so check before repeating it (a longer one gives it more time).",
		retryable: false,
		details: { outcome: "unknown" },
	});
});

test("the time that a person takes to answer does not count, what the tool takes besides does", async () => {
	const asking = (answerAfterMs: number, answerMs?: number) => {
		let rounds = 0;
		const local = {
			run: async ({ ask, args }: BackendCall) => {
				await Promise.all([ask?.({}), ask?.({})]);
				rounds++;
				return args.hangs === true ? new Promise<never>(() => {}) : { structured: "done" };
			},
		};
		const runner = createRunner({
			catalog,
			backends: { local },
			timeoutMs: () => 100,
			...(answerMs !== undefined && { answerMs }),
		});
		const run = (args: JsonObject) =>
			runner.run({ ...request, args, ask: () => delay(answerAfterMs, {}) }).then(
				({ structured }) => structured,
				({ message }) => message,
			);
		return { run, rounds: () => rounds };
	};
	const slow = asking(400);
	assert.equal(await slow.run({}), "done");
	assert.match(await slow.run({ hangs: true }), /^demo:it did not answer within 100 ms/);
	assert.equal(slow.rounds(), 2);
	const never = asking(400, 50);
	assert.equal(await never.run({}), "demo:it asked its caller a question, which nobody answered within 50 ms.");
});

test("a bare name that two servers have is refused with both, never guessed", () => {
	const both = new Catalog();
	for (const namespace of ["a", "b"])
		both.set({
			namespace,
			definitions: [{ name: "it" }],
			backendOf: () => ({ kind: "local", local: { name: "it" } }),
		});
	assert.throws(() => resolveTool(both, [], "it", LOCAL_VIEWER), /^ToolError: it may be a:it or b:it; name one\.$/);
});

test("who writes an id as another client does is told how it is written here", () => {
	const known = new Catalog();
	for (const [namespace, name] of [
		["files", "read_text_file"],
		["jp", "天気 検索"],
		["jp2", "天気 検索"],
		["hub", "create_issue"],
		["lab", "create_issue"],
		["work", "echo"],
		["work_two", "echo"],
	] as const)
		known.set({
			namespace,
			definitions: [{ name }],
			backendOf: () => ({ kind: "local", local: { name } }),
		});
	const said = (id: string): string => {
		try {
			return resolveTool(
				known,
				[{ check: (tool) => ({ kind: tool.namespace === "lab" ? "hide" : "allow" }) }],
				id,
				LOCAL_VIEWER,
			).id;
		} catch (thrown) {
			return String(thrown);
		}
	};
	for (const id of ["mcp__files__read_text_file", "server.read_text_file", "f:read_text_file", "files:readTextFile"])
		assert.equal(said(id), `ToolError: No tool is called ${id}; did you mean files:read_text_file?`);
	assert.match(said("天気 検索"), /did you mean jp2?:\w+ or jp2?:\w+\?$/);
	for (const server of ["jp", "jp2"])
		assert.match(
			said(`${server}:天気 検索`),
			new RegExp(`did you mean ${server}:\\w+\\?$`),
			"the server that was named",
		);
	for (const id of ["work two:echo", "work-two:echo", "Work_Two.echo"])
		assert.match(said(id), /did you mean work_two:echo\?$/, "the server as its file may name it");
	for (const id of ["FILES:READ_TEXT_FILE", "Read-Text-File", "FILES.Read.Text.File"])
		assert.match(said(id), /did you mean files:read_text_file\?$/, "however it is written");
	assert.match(said("jira:create_issue"), /did you mean hub:create_issue\?$/);
	assert.match(said("fils:read_text_fil"), /did you mean files:read_text_file\?$/);
	assert.match(
		said("work_two:nope"),
		/; search_tools finds tools by what they do\.$/,
		"not what only its server has alike",
	);
	assert.match(said("jira:delete_all"), /search_tools finds tools by what they do\.$/);
});

test("a tool that promises structured content and gives none has broken its word, however wide", async () => {
	const own = new Catalog();
	own.set({
		namespace: "demo",
		definitions: [{ name: "it", inputSchema: { type: "object" }, outputSchema: {} }],
		backendOf: () => ({ kind: "local", local: { name: "it" } }),
	});
	const local = { run: async () => ({ structured: "text", mcpResult: { content: [] } }) };
	const runner = createRunner({ catalog: own, backends: { local }, timeoutMs: () => 1_000 });
	await assert.rejects(runner.run(request), (error: ToolError) => error.object.code === "validation_output");
});
