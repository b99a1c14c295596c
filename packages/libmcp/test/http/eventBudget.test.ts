import assert from "node:assert/strict";
import { test } from "node:test";
import { EventBudget, EventLog } from "../../src/http/eventLog.ts";

const LIMITS = { maxEvents: 4, maxBytes: 1_000, maxAwaitedBytes: 1_000 };
const answerOf = (text: string): string => `{"jsonrpc":"2.0","id":1,"result":"${text}"}`;

test("sessions that hold large answers do not cost other sessions theirs", () => {
	const budget = new EventBudget(2_000);
	const hoards = [0, 1].map(() => new EventLog(LIMITS, budget));
	const large = hoards.map((log) => {
		const begun = log.add(1, "");
		log.add(1, answerOf("x".repeat(950)));
		return () => log.after(begun)?.events.length;
	});
	const small = [0, 1, 2].map((n) => {
		const log = new EventLog(LIMITS, budget);
		const begun = log.add(1, "");
		log.add(1, answerOf(`answer ${n}`));
		log.end(1);
		return log.after(begun)?.events.at(-1)?.text;
	});
	assert.deepEqual(small, ["answer 0", "answer 1", "answer 2"].map(answerOf));
	assert.deepEqual(
		large.map((kept) => kept()),
		[undefined, 1],
		"one of the largest made room",
	);
});

test("a session's notifications take no answer of another, however little room is left", () => {
	const budget = new EventBudget(1_000);
	const [cutOff, talkative] = [new EventLog(LIMITS, budget), new EventLog(LIMITS, budget)];
	const begun = cutOff.add(1, "");
	cutOff.add(1, answerOf("x".repeat(900)));
	for (let n = 0; n < 4; n++) talkative.add(1, "x".repeat(100));
	assert.equal(cutOff.after(begun)?.events.length, 1);
	assert.ok(budget.bytes <= budget.maxBytes);
});
