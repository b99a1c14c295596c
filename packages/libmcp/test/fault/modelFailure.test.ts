import assert from "node:assert/strict";
import { verifies } from "../../../../e2e/verifies.ts";
import { createFault, FAULT_CLASSES, RETRY_ADVICE } from "../../src/fault/fault.ts";
import { createFaultResponse, describeForModel } from "../../src/fault/faultResponse.ts";
import { FAULTS } from "../../src/fault/faultTable.ts";

const SPEW = "Error: boom\n    at run (/srv/app/secret.js:3:1)\npassword=hunter2";
const CODES = [...Object.keys(FAULTS), "something_else"];

verifies(
	["002-failure-shaping-concise", "002-failure-shaping-no-raw-spew", "002-versioning-doctrine-in-tests"],
	"the model gets one short line without stack, backend words or paths, whatever the detail holds",
	() => {
		for (const kind of FAULT_CLASSES) {
			for (const code of CODES) {
				const { message } = describeForModel(createFault(kind, code, { detail: SPEW }));
				assert.match(message, /^[A-Z][^\n\r]{10,140}\.$/, message);
				assert.equal(/secret|hunter2|\bat run\b|\//.test(message), false, message);
			}
		}
	},
);

verifies(
	["002-failure-shaping-typed-category", "002-faults-drives-model-shape"],
	"the class and code stand beside the message",
	() => {
		assert.deepEqual(describeForModel(createFault("timeout", "deadline_passed", { detail: "d", retry: "safe" })), {
			message: "The server did not answer in time.",
			category: "timeout",
			code: "deadline_passed",
			retryHint: "Retrying is safe.",
		});
		assert.deepEqual(describeForModel(createFault("timeout", "deadline_passed", { detail: "d", retry: "unsafe" })), {
			message:
				"The server did not answer in time; the call may or may not have taken effect, so check before repeating it.",
			category: "timeout",
			code: "deadline_passed",
		});
	},
);

verifies("002-failure-shaping-retry-hint", "a retry hint is there when retry is plausible and only then", () => {
	for (const kind of FAULT_CLASSES) {
		for (const retry of RETRY_ADVICE) {
			const { retryHint } = describeForModel(createFault(kind, "c", { detail: "d", retry }));
			const plausible = kind !== "ambiguous_outcome" && (retry === "safe" || retry === "later");
			assert.equal(retryHint !== undefined, plausible, `${kind} ${retry}`);
		}
	}
	const later = createFault("process", "worker_unavailable", { detail: "d", retry: "later", retryAfterMs: 1_400 });
	assert.equal(describeForModel(later).retryHint, "Retry after 2 s.");
});

verifies("002-faults-on-the-wire", "a fault is in error.data and no code of the reserved block is used", () => {
	for (const kind of FAULT_CLASSES) {
		for (const code of [...CODES, "bad_json", "bad_envelope", "duplicate_id"]) {
			const fault = createFault(kind, code, { detail: "d" });
			const response = createFaultResponse(fault);
			assert.equal(response.data.fault, fault);
			assert.equal(response.code <= -32020 && response.code >= -32099, false, `${code}: ${response.code}`);
		}
	}
	const overload = createFaultResponse(createFault("resource", "queue_overloaded", { detail: "d" }), {
		code: "QUEUE_OVERLOADED",
		max: 2,
		size: 2,
	});
	assert.equal(overload.code, -32001);
	assert.equal(overload.data.code, "QUEUE_OVERLOADED");
	assert.equal(createFaultResponse(createFault("process", "worker_exited", { detail: "d" })).code, -32603);
});
