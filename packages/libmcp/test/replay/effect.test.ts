import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import {
	findMethodEffect,
	isEffectUnreadable,
	parseEffect,
	readToolEffect,
	resolveContract,
} from "../../src/replay/effect.ts";
import { isPointer, resolvePointer } from "../../src/replay/jsonPointer.ts";

const declared = (effect: unknown, annotations: unknown = {}) => ({
	name: "t",
	annotations,
	_meta: { "io.libmcp/effect": effect },
});

verifies("002-replay-explicit-contract", "declared _meta comes first, then annotations, else at most once", () => {
	const kind = (tool: unknown) => readToolEffect(tool).recovery.kind;
	assert.equal(kind(declared({ recovery: { kind: "at_most_once" } }, { readOnlyHint: true })), "at_most_once");
	assert.equal(kind(declared({ recovery: { kind: "probe_required" } })), "probe_required");
	assert.equal(kind({ annotations: { readOnlyHint: true } }), "replay_safe");
	assert.equal(kind({ annotations: { idempotentHint: true } }), "replay_safe");
	assert.equal(kind({ annotations: { destructiveHint: false } }), "at_most_once");
	assert.equal(kind({}), "at_most_once");
	assert.equal(kind(undefined), "at_most_once");
});

test("half a declaration is no declaration", () => {
	for (const bad of [
		null,
		"replay_safe",
		{},
		{ recovery: "deduplicated" },
		{ recovery: { kind: "deduplicated" }, key: "/key" },
		{ recovery: { kind: "sometimes" } },
		{ recovery: { kind: "deduplicated" } },
		{ recovery: { kind: "deduplicated", key: "no/slash" } },
		{ recovery: { kind: "at_most_once" }, journal: {} },
		{ recovery: { kind: "replay_safe" }, journal: { key: 5 } },
		{ recovery: { kind: "replay_safe" }, journal: "yes" },
	]) {
		assert.equal(parseEffect(bad), undefined, JSON.stringify(bad));
	}
	assert.deepEqual(parseEffect({ recovery: { kind: "replay_safe" }, journal: { key: "/project" } }), {
		recovery: { kind: "replay_safe" },
		journal: { key: "/project" },
	});
});

test("a declaration may be spelt as in a contract file", () => {
	assert.deepEqual(parseEffect({ recovery: "at_most_once" }), { recovery: { kind: "at_most_once" } });
	assert.deepEqual(parseEffect({ recovery: "deduplicated", key: "/id", journal: {} }), {
		recovery: { kind: "deduplicated", key: "/id" },
		journal: {},
	});
});

test("a declaration that cannot be read outweighs the annotations, since it may forbid what they allow", () => {
	const annotations = { readOnlyHint: true, idempotentHint: true };
	const journaled = { recovery: { kind: "probe_required" }, journal: { key: "/key" } };
	for (const effect of [null, "never", {}, { recovery: { kind: "sometimes" } }, journaled]) {
		const tool = declared(effect, annotations);
		assert.equal(readToolEffect(tool).recovery.kind, "at_most_once", JSON.stringify(effect));
		assert.equal(isEffectUnreadable(tool), true);
	}
	assert.equal(isEffectUnreadable(declared({ recovery: "at_most_once" })), false);
	assert.equal(isEffectUnreadable({ annotations }), false);
});

test("a deduplicated call is convergent only when its key is in the call", () => {
	const recovery = { kind: "deduplicated", key: "/order/id" } as const;
	assert.equal(
		resolveContract(recovery, () => ({ order: { id: "a" } })),
		"convergent",
	);
	assert.equal(
		resolveContract(recovery, () => ({ order: { id: 7 } })),
		"convergent",
	);
	for (const args of [
		{ order: {} },
		{},
		undefined,
		{ order: { id: null } },
		{ order: { id: "" } },
		{ order: { id: ["a"] } },
	]) {
		assert.equal(
			resolveContract(recovery, () => args),
			"never_replay",
		);
	}
	assert.equal(
		resolveContract({ kind: "probe_required" }, () => undefined),
		"probe_required",
	);
});

test("methods of both eras have a default and everything else is at most once", () => {
	const safe = ["initialize", "ping", "tools/list", "resources/read", "prompts/get", "completion/complete"];
	const modern = ["server/discover", "subscriptions/listen"];
	for (const method of [...safe, ...modern])
		assert.equal(findMethodEffect(method).recovery.kind, "replay_safe", method);
	for (const method of ["tools/call", "tasks/cancel", "sampling/createMessage", "anything", "toString"]) {
		assert.equal(findMethodEffect(method).recovery.kind, "at_most_once", method);
	}
});

test("a pointer finds what it names and nothing inherited", () => {
	const document = { a: [{ "b/c": 1, "m~n": 2 }], "": 3 };
	assert.equal(resolvePointer(document, "/a/0/b~1c"), 1);
	assert.equal(resolvePointer(document, "/a/0/m~0n"), 2);
	assert.equal(resolvePointer(document, "/"), 3);
	assert.equal(resolvePointer(document, ""), document);
	for (const absent of ["/a/00", "/a/length", "/a/-", "/toString", "/a/0/b", "/x/y"]) {
		assert.equal(resolvePointer(document, absent), undefined, absent);
	}
	for (const bad of ["a", "/~", "/~2", 5, null]) assert.equal(isPointer(bad), false);
	fc.assert(
		fc.property(fc.anything(), fc.string(), (value, text) => {
			resolvePointer(value, `/${text}`);
			readToolEffect(value);
		}),
	);
});
