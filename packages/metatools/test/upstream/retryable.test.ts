import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../src/contract/errors.ts";
import { resultOf } from "../../src/run/mcpResult.ts";
import { callFailure } from "../../src/upstream/callFailure.ts";
import type { UpstreamFailure } from "../../src/upstream/upstreamError.ts";
import { testGateway } from "../fixtures/gateway.ts";

const FAILED = { content: [{ type: "text", text: "the disk is full" }], isError: true };

test("a tool that failed is worth a second try only if a second try is harmless", async (t) => {
	const demo = await testGateway();
	t.after(() => demo.stop());
	demo.peers.of("demo").answers.set("count", FAILED);
	demo.peers.of("demo").answers.set("count_safely", FAILED);
	const judged = async (tool_id: string) => {
		const { code, retryable } = await demo.error("run_tool", { tool_id });
		return [code, retryable];
	};
	assert.deepEqual(await judged("demo:count"), ["execution_failed", false]);
	assert.deepEqual(await judged("demo:count_safely"), ["execution_failed", true]);
	assert.deepEqual(await judged("demo:refuse"), ["execution_failed", false]);
});

test("what is retryable depends on what failed, and on whether the call may have taken effect", () => {
	const message = "no";
	const cases: readonly [failure: UpstreamFailure, harmless: boolean, unknown: boolean][] = [
		[{ kind: "refused", code: -32602, message }, false, false],
		[{ kind: "refused", code: -32601, message }, false, false],
		[{ kind: "refused", code: -32603, message }, true, false],
		[{ kind: "lost", undone: false, message }, true, false],
		[{ kind: "lost", undone: true, message }, true, true],
		[{ kind: "unauthorized", message }, false, false],
		[{ kind: "broken", message }, true, false],
		[{ kind: "timeout" }, false, false],
	];
	for (const [failure, harmless, unknown] of cases) {
		const judged = (repeatable: boolean) => callFailure("s", failure, { repeatable, login: "log in" }).object.retryable;
		assert.deepEqual([judged(true), judged(false)], [harmless, unknown], JSON.stringify(failure));
	}
});

test("an answer that is no result is judged the same way", () => {
	for (const repeatable of [true, false])
		assert.throws(
			() => resultOf("nonsense", repeatable),
			(thrown) => thrown instanceof ToolError && thrown.object.retryable === repeatable,
		);
});
