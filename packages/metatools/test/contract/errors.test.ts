import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ERROR_CODES, ToolError, toolErrorFrom, toolErrorFromAbort } from "../../src/contract/errors.ts";

test("there are thirteen codes, and trying again helps for three of them", () => {
	const retryable = Object.entries(ERROR_CODES).filter(([, { retryable }]) => retryable);
	assert.deepEqual(Object.keys(ERROR_CODES), [
		"tool_not_found",
		"no_backends",
		"backend_override_invalid",
		"backend_override_no_match",
		"validation_input",
		"validation_output",
		"execution_failed",
		"stream_not_supported",
		"stream_failed",
		"chain_step_failed",
		"cancelled",
		"timeout",
		"internal",
	]);
	assert.deepEqual(
		retryable.map(([code]) => code),
		["execution_failed", "stream_failed", "internal"],
	);
});

test("the documentation names every code", () => {
	const page = readFileSync(new URL("../../../../docs/metatools.md", import.meta.url), "utf8");
	for (const [code, { retryable, when, ...row }] of Object.entries(ERROR_CODES)) {
		const advice = "depends" in row ? "depends" : retryable ? "yes" : "no";
		assert(page.includes(`| \`${code}\` | ${advice} | ${when} |`), code);
	}
});

test("an outer layer adds what the inner one did not know, and changes nothing it did", () => {
	const inner = new ToolError("execution_failed", "broke", { tool_id: "a:b", retryable: false });
	const { object } = toolErrorFrom(inner, { tool_id: "c:d", op: "execute" });
	assert.deepEqual(object, {
		code: "execution_failed",
		message: "broke",
		retryable: false,
		tool_id: "a:b",
		op: "execute",
	});
});

test("an outer layer adds to the details of the inner one too", () => {
	const inner = new ToolError("validation_input", "no", { details: { problems: ["a"] } });
	const outer = { details: { item_index: 3, problems: ["b"] } };
	assert.deepEqual(toolErrorFrom(inner, outer).object.details, { item_index: 3, problems: ["a"] });
	assert.deepEqual(toolErrorFrom(inner, {}).object.details, { problems: ["a"] });
});

test("an aborted signal is a timeout or a cancellation, whichever it was", async () => {
	const late = AbortSignal.timeout(1);
	await new Promise((resolve) => late.addEventListener("abort", resolve));
	assert.equal(toolErrorFromAbort(late).object.code, "timeout");
	assert.equal(toolErrorFromAbort(AbortSignal.abort()).object.code, "cancelled");
	assert.equal(toolErrorFromAbort(AbortSignal.abort(new ToolError("timeout", "x"))).object.code, "timeout");
});

test("what was thrown by accident keeps its text to itself", () => {
	const { object } = toolErrorFrom(new Error("password is hunter2"));
	assert.equal(object.code, "internal");
	assert.doesNotMatch(JSON.stringify(object), /hunter2/);
});
