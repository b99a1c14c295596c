import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { createFault, FAULT_CLASSES, FaultError, isFault } from "../../src/fault/fault.ts";
import { RpcError } from "../../src/fault/rpcError.ts";
import { toFault } from "../../src/fault/toFault.ts";

test("the classes are the nine of the taxonomy and ambiguous_outcome", () => {
	assert.deepEqual(FAULT_CLASSES, [
		"transport",
		"process",
		"protocol",
		"timeout",
		"downstream",
		"resource",
		"replay",
		"rollout",
		"invariant",
		"ambiguous_outcome",
	]);
});

verifies("002-faults-typed", "anything thrown becomes a whole, typed fault", () => {
	const hostile = new Proxy(
		{},
		{
			get() {
				throw new Error("no");
			},
		},
	);
	for (const thrown of [undefined, null, 0, "text", Symbol("s"), {}, [], new Error("e"), () => {}]) {
		assert.equal(isFault(toFault(thrown, 3)), true, String(thrown?.toString()));
		assert.equal(toFault(thrown, 3).generation, 3);
	}
	assert.equal(toFault({ toString: () => hostile }).class, "invariant");
	fc.assert(fc.property(fc.anything(), (thrown) => isFault(toFault(thrown))));
});

test("a fault that is thrown or passed on stays itself", () => {
	const fault = createFault("process", "worker_exited", { detail: "exit code 3", generation: 4 });
	assert.equal(toFault(new FaultError(fault), 9), fault);
	assert.equal(toFault(fault, 9), fault);
});

const SYSTEM_ERRORS = [
	["002-faults-class-transport", "EPIPE", "transport"],
	["002-faults-class-transport", "ERR_STREAM_DESTROYED", "transport"],
	["002-faults-class-process", "ENOENT", "process"],
	["002-faults-class-timeout", "ETIMEDOUT", "timeout"],
	["002-faults-class-resource", "EMFILE", "resource"],
] as const;

test("an error of the file system is named by its code once", () => {
	const missing = Object.assign(new Error("ENOENT: no such file or directory, mkdir '/a'"), { code: "ENOENT" });
	assert.equal(toFault(missing).detail, "ENOENT: no such file or directory, mkdir '/a'");
	const missingCommand = Object.assign(new Error("spawn a ENOENT"), { code: "ENOENT" });
	assert.equal(toFault(missingCommand).detail, "ENOENT: spawn a ENOENT");
});

for (const [row, code, expected] of SYSTEM_ERRORS) {
	verifies(row, `a system error ${code} is a fault of the ${expected} class`, () => {
		assert.equal(toFault(Object.assign(new Error("x"), { code })).class, expected);
	});
}

verifies("002-faults-class-protocol", "text that is no JSON is a protocol fault", () => {
	assert.throws(
		() => JSON.parse("{"),
		(error) => toFault(error).class === "protocol" && toFault(error).code === "bad_json",
	);
});

verifies("002-faults-class-timeout", "an abort by timeout is a timeout fault", async () => {
	const signal = AbortSignal.timeout(1);
	await new Promise((resolve) => signal.addEventListener("abort", resolve));
	assert.equal(toFault(signal.reason).class, "timeout");
});

test("an error response is a downstream fault that names its code only", () => {
	const fault = toFault(new RpcError(-32602, "secret words", { path: "/home/me" }), 2);
	assert.deepEqual(fault, {
		class: "downstream",
		code: "error_response",
		detail: "error -32602 from downstream",
		generation: 2,
		hint: "keep_worker",
		retry: "never",
	});
});

test("of a thrown text only its first line is kept, and not all of a long one", () => {
	for (const end of ["\n", "\r\n", "\r"])
		assert.equal(
			toFault(new Error(`no such host${end}    at connect (/home/me/server.js:1:1)`)).detail,
			"Error: no such host",
		);
	assert.equal(toFault(new Error("x".repeat(1_000))).detail, `Error: ${"x".repeat(300)}`);
});

test("an error nobody foresaw is an invariant fault", () => {
	assert.equal(toFault(new TypeError("x is not a function")).class, "invariant");
});

verifies("002-faults-class-ambiguous", "an ambiguous outcome is never called safe to retry", () => {
	assert.equal(createFault("ambiguous_outcome", "worker_lost", { detail: "d", retry: "safe" }).retry, "unsafe");
});

verifies(
	["002-faults-drives-policy", "002-faults-drives-telemetry", "002-faults-drives-health"],
	"every class gives a hint about the process, a code to count by, and survives JSON whole",
	() => {
		const hints = new Set(["keep_worker", "replace_worker", "roll_forward", "abort_host"]);
		for (const kind of FAULT_CLASSES) {
			const fault = createFault(kind, "some_code", { detail: "d", generation: 1 });
			assert.ok(hints.has(fault.hint), kind);
			assert.equal(fault.code, "some_code");
			const back: unknown = JSON.parse(JSON.stringify(fault));
			assert.ok(isFault(back));
			assert.deepEqual(back, fault);
		}
	},
);

test("a value with a pause that is no number is no fault", () => {
	const fault = createFault("process", "worker_exited", { detail: "d", retryAfterMs: 5 });
	assert.equal(isFault(fault), true);
	for (const retryAfterMs of ["soon", Number.NaN, null]) assert.equal(isFault({ ...fault, retryAfterMs }), false);
});

test("an error response is recognized as one by another copy of this library", () => {
	const foreign = Object.assign(new Error("no such tool"), { name: "RpcError", code: -32602 });
	assert.equal(toFault(foreign).code, "error_response");
});

test("a code that telemetry could not count by is refused", () => {
	for (const code of ["", "Has Space", "UPPER", "dash-ed"]) {
		assert.throws(() => createFault("process", code, { detail: "d" }), TypeError);
	}
});
