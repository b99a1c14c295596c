import assert from "node:assert/strict";
import { test } from "node:test";
import { RestartBudget } from "../../src/host/state/restartBudget.ts";

const POLICY = {
	intensity: 4,
	periodMs: 10_000,
	backoffMs: 100,
	maxBackoffMs: 300,
	coolDownMs: 5_000,
	stableMs: 1_000,
};

function budgetAt(start: number, random = 0.5) {
	let now = start;
	const budget = new RestartBudget(
		POLICY,
		() => now,
		() => random,
	);
	return { budget, pass: (ms: number) => (now += ms) };
}

test("fruitless deaths restart at once, then ever later, and past the intensity not at all", () => {
	const { budget } = budgetAt(0);
	const delays = Array.from({ length: 4 }, () => budget.died(false));
	assert.deepEqual(delays, [
		{ action: "restart", delayMs: 0 },
		{ action: "restart", delayMs: 100 },
		{ action: "restart", delayMs: 200 },
		{ action: "restart", delayMs: 300 },
	]);
	assert.deepEqual(budget.died(false), { action: "pause", delayMs: 5_000 });
	assert.equal(budget.state, "open");
	assert.equal(budget.retryAfterMs, 5_000);
});

test("jitter stays within a tenth either way", () => {
	for (const [random, expected] of [
		[0, 90],
		[1, 110],
	] as const) {
		const { budget } = budgetAt(0, random);
		budget.died(false);
		assert.deepEqual(budget.died(false), { action: "restart", delayMs: expected });
	}
});

test("deaths that lie further back than the period do not count", () => {
	const { budget, pass } = budgetAt(0);
	for (let death = 0; death < 12; death++) {
		assert.equal(budget.died(false).action, "restart");
		pass(3_000);
	}
});

test("after the cool-down one worker may try: a death opens again, a proof closes", () => {
	const { budget, pass } = budgetAt(0);
	for (let death = 0; death <= 4; death++) budget.died(false);
	pass(5_000);
	budget.tryAgain();
	assert.equal(budget.state, "half_open");
	assert.equal(budget.retryAfterMs, 0);
	// One failure is enough, though those before it lie further back than the period.
	pass(POLICY.periodMs);
	assert.equal(budget.died(false).action, "pause");
	pass(5_000);
	budget.tryAgain();
	budget.proven();
	assert.equal(budget.state, "closed");
	assert.deepEqual(budget.died(false), { action: "restart", delayMs: 0 });
});

test("a death after useful work restarts at once however often it happens", () => {
	const { budget } = budgetAt(0);
	for (let death = 0; death < 100; death++) assert.deepEqual(budget.died(true), { action: "restart", delayMs: 0 });
});
