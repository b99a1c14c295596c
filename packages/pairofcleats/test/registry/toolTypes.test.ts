import assert from "node:assert/strict";
import { test } from "node:test";
import { TOOL_NAMES, type ToolArgumentsOf, type ToolResultOf, toolOf } from "../../src/registry/registry.ts";
import { LONG_MS } from "../../src/registry/tool.ts";
import { validateArguments } from "../../src/tools/validateArguments.ts";
import type { ToolHandler } from "../../src/workspace/toolCall.ts";

test("validated arguments have the types that the tool's schema names", () => {
	const shown: { readonly path: string; readonly startLine?: number } = validateArguments("show_file", {
		path: "a.ts",
	});
	assert.equal(shown.path, "a.ts");
	const decision = { finding: "f", status: "fix", codes: ["x"] };
	const { status, codes }: ToolArgumentsOf<"triage_decision"> = validateArguments("triage_decision", decision);
	const known: "fix" | "accept" | "defer" | "false_positive" | "not_affected" = status;
	const texts: readonly string[] | undefined = codes;
	assert.deepEqual([known, texts], ["fix", ["x"]]);
	const older: ToolArgumentsOf<"build_index"> = validateArguments("index_build", { blame: true });
	assert.equal(older.blame, true);
});

test("a number that JSON can write and a program cannot hold is refused", () => {
	const huge = JSON.parse("1e400");
	for (const [name, args, message] of [
		["show_file", { path: "a.ts", endLine: huge }, "endLine: expected a whole number, got Infinity"],
		["cache_gc", { maxBytes: huge }, "maxBytes: expected a whole number, got Infinity"],
		["cache_gc", { maxGb: huge }, "maxGb: expected a number, got Infinity"],
	] as const)
		assert.throws(() => validateArguments(name, args), { message });
});

test("no tool runs longer than the limit that the host's own is above", () => {
	for (const name of TOOL_NAMES) assert.ok(toolOf(name).timeoutMs <= LONG_MS, name);
});

test("what a tool's schema does not have does not compile", () => {
	// @ts-expect-error: show_file has no such argument.
	const wrongName: ToolHandler<"show_file"> = async ({ lines }) => ({ repo: "r", file: { lines } });
	// @ts-expect-error: a path is a text.
	const wrongType: ToolHandler<"show_file"> = async ({ path }) => ({ repo: "r", file: { half: path / 2 } });
	// @ts-expect-error: search has no such argument.
	const wrongSearch: ToolHandler<"search"> = async ({ limit }) => ({ repo: "r", search: { limit } });
	// @ts-expect-error: the result lacks its file.
	const tooLittle: ToolHandler<"show_file"> = async () => ({ repo: "r" });
	// @ts-expect-error: a status is an object.
	const wrongShape: ToolHandler<"index_status"> = async () => ({ repo: "r", status: "fine" });
	// @ts-expect-error: the repositories are a list, where they are told.
	const wrongOptional: ToolResultOf<"report_artifacts"> = { repo: "r", artifacts: {}, repositories: 2 };
	assert.ok([wrongName, wrongType, wrongSearch, tooLittle, wrongShape, wrongOptional].every(Boolean));
});
