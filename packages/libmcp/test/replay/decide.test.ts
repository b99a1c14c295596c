import assert from "node:assert/strict";
import { test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { decide, ReplayContracts } from "../../src/replay/decide.ts";

const KNOWLEDGE = ["not_dispatched", "in_flight", "completed", "outcome_unknown"] as const;
const CONTRACTS = ["convergent", "probe_required", "never_replay"] as const;
const PROBES = [undefined, "took_effect", "no_effect", "still_unknown"] as const;

// knowledge, contract: decisions for no probe, took_effect, no_effect, still_unknown; "a|b" is with budget | without.
const TABLE: readonly (readonly [string, string, readonly string[]])[] = [
	["not_dispatched", "convergent", ["first_dispatch", "X", "X", "X"]],
	["not_dispatched", "probe_required", ["first_dispatch", "X", "X", "X"]],
	["not_dispatched", "never_replay", ["first_dispatch", "X", "X", "X"]],
	["in_flight", "convergent", ["await_answer", "X", "X", "X"]],
	["in_flight", "probe_required", ["await_answer", "X", "X", "X"]],
	["in_flight", "never_replay", ["await_answer", "X", "X", "X"]],
	["completed", "convergent", ["already_answered", "X", "X", "X"]],
	["completed", "probe_required", ["already_answered", "X", "X", "X"]],
	["completed", "never_replay", ["already_answered", "X", "X", "X"]],
	["outcome_unknown", "convergent", ["replay|reject_exhausted", "X", "X", "X"]],
	[
		"outcome_unknown",
		"probe_required",
		["probe", "complete_from_probe", "replay|reject_exhausted", "reject_ambiguous"],
	],
	["outcome_unknown", "never_replay", ["reject_ambiguous", "X", "X", "X"]],
];

verifies("002-replay-total-decision", "the decision table is total and says what it says", () => {
	let rows = 0;
	for (const knowledge of KNOWLEDGE) {
		for (const contract of CONTRACTS) {
			const expected = TABLE.find(([k, c]) => k === knowledge && c === contract)?.[2] ?? [];
			for (const [index, probe] of PROBES.entries()) {
				const [within, without] = (expected[index] ?? "missing").replace("X", "reject_unexpected_probe").split("|");
				assert.equal(decide(knowledge, contract, probe, { used: 0, max: 1 }), within);
				assert.equal(decide(knowledge, contract, probe, { used: 1, max: 1 }), without ?? within);
				rows += 2;
			}
		}
	}
	assert.equal(rows, 96);
});

verifies("002-replay-vocabulary", "the vocabulary is exactly three words", () => {
	assert.deepEqual(ReplayContracts, {
		Convergent: "convergent",
		ProbeRequired: "probe_required",
		NeverReplay: "never_replay",
	});
});

verifies("002-replay-process-policy-no-grant", "the decision takes no input about the process", () => {
	assert.equal(decide.length, 4);
	for (const max of [0, 1, 255]) {
		assert.equal(decide("outcome_unknown", "never_replay", undefined, { used: 0, max }), "reject_ambiguous");
	}
});

test("a first dispatch is never a replay, so a spent budget does not stop it", () => {
	assert.equal(decide("not_dispatched", "never_replay", undefined, { used: 9, max: 0 }), "first_dispatch");
});
