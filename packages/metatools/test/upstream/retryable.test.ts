import assert from "node:assert/strict";
import { test } from "node:test";
import { createCallError } from "../../src/upstream/failure/callFailure.ts";
import type { UpstreamFailure } from "../../src/upstream/failure/failure.ts";
import { testGateway, texts } from "../fixtures/gateway.ts";

const FAILED = { content: [{ type: "text", text: "no file is called notes.txt" }], isError: true };

test("a tool that says why it failed is not worth the same call again, however harmless it is", async (t) => {
	const demo = await testGateway();
	t.after(() => demo.stop());
	demo.peers.of("demo").answers.set("count", FAILED);
	demo.peers.of("demo").answers.set("count_safely", FAILED);
	for (const name of ["count", "count_safely", "refuse"]) {
		const { code, retryable } = await demo.error("run_tool", { tool_id: `demo:${name}` });
		assert.deepEqual([code, retryable], ["execution_failed", false], name);
	}
	assert.equal(
		texts(await demo.call("run_tool", { tool_id: "demo:count_safely" })),
		"error execution_failed (demo:count_safely): no file is called notes.txt",
	);
});

test("a tool that says itself that the same call may succeed is believed", async (t) => {
	const demo = await testGateway();
	t.after(() => demo.stop());
	const structuredContent = { ok: false, error: { code: "NO_INDEX", details: { retryable: true } } };
	demo.peers.of("demo").answers.set("count", { ...FAILED, structuredContent });
	assert.equal((await demo.error("run_tool", { tool_id: "demo:count" })).retryable, true);
});

test("what is retryable depends on what failed, and on whether the call may have taken effect", () => {
	const message = "no";
	const cases: readonly [failure: UpstreamFailure, harmless: boolean, unknown: boolean][] = [
		[{ kind: "refused", code: -32602, message }, false, false],
		[{ kind: "refused", code: -32601, message }, false, false],
		[{ kind: "refused", code: -32002, message }, false, false],
		[{ kind: "refused", code: -32603, message }, true, false],
		[{ kind: "lost", undone: false, message }, true, false],
		[{ kind: "lost", undone: true, message }, true, true],
		[{ kind: "unauthorized", message }, false, false],
		[{ kind: "broken", message }, true, false],
		[{ kind: "busy", message }, true, true],
		[{ kind: "unreadable", message }, true, false],
		[{ kind: "timeout" }, true, false],
	];
	for (const [failure, harmless, unknown] of cases) {
		const judged = (repeatable: boolean) =>
			createCallError("s", failure, { repeatable, login: "log in" }).object.retryable;
		assert.deepEqual([judged(true), judged(false)], [harmless, unknown], JSON.stringify(failure));
	}
});

test("a connection lost in a call that may have taken effect is told as the fault that hosts report", () => {
	const lost = { kind: "lost", undone: false, message: "no" } as const;
	const judged = (repeatable: boolean) => createCallError("s", lost, { repeatable, login: "log in" }).object;
	assert.deepEqual(judged(false).details, {
		server: "s",
		fault: { class: "ambiguous_outcome", code: "outcome_unknown" },
		outcome: "unknown",
	});
	assert.deepEqual(judged(true).details, { server: "s", outcome: "failed" });
});
