import assert from "node:assert/strict";
import { test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { Deadline } from "../../src/admission/deadline.ts";
import { ProgressPacer } from "../../src/admission/progressPacer.ts";

verifies(
	"000-9.1-pacing-helper",
	"a flood of progress is thinned to four a second, the latest wins, none after the end",
	(t) => {
		t.mock.timers.enable({ apis: ["setTimeout"] });
		let now = 0;
		const sent: [number, number][] = [];
		const pacer = new ProgressPacer(
			({ progress }) => sent.push([now, progress]),
			() => now,
		);
		for (let step = 1; step <= 1_000; step++) {
			pacer.update({ progress: step });
			now += 2;
			t.mock.timers.tick(2);
		}
		assert.equal(sent.length, 9);
		assert.deepEqual(sent[0], [0, 1]);
		assert.deepEqual(sent[1], [250, 125]);
		for (const [index, [, progress]] of sent.entries())
			assert.ok(index === 0 || progress > (sent[index - 1]?.[1] ?? 0));
		pacer.update({ progress: 2_000 });
		pacer.finish();
		pacer.update({ progress: 3_000 });
		now += 1_000;
		t.mock.timers.tick(1_000);
		assert.equal(sent.length, 9);
	},
);

verifies("000-9.1-pacing-helper", "progress that falls, repeats or is no number is dropped", (t) => {
	t.mock.timers.enable({ apis: ["setTimeout"] });
	let now = 0;
	const sent: number[] = [];
	const pacer = new ProgressPacer(
		({ progress }) => sent.push(progress),
		() => now,
	);
	for (const progress of [5, 4, 5, Number.NaN, 6]) {
		pacer.update({ progress });
		now += 250;
		t.mock.timers.tick(250);
	}
	assert.deepEqual(sent, [5, 6]);
});

verifies("002-faults-class-timeout", "progress resets the inactivity limit and never the hard one", (t) => {
	t.mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
	const expired: ("hard" | "inactivity")[] = [];
	const lively = new Deadline({ hardMs: 1_000, inactivityMs: 100 }, (kind) => expired.push(kind));
	for (let elapsed = 0; elapsed < 990; elapsed += 90) {
		t.mock.timers.tick(90);
		lively.progress();
	}
	assert.equal(expired.length, 0);
	t.mock.timers.tick(10);
	assert.deepEqual(expired, ["hard"]);
	t.mock.timers.tick(5_000);
	assert.deepEqual(expired, ["hard"]);
	new Deadline({ hardMs: 1_000, inactivityMs: 100 }, (kind) => expired.push(kind));
	t.mock.timers.tick(100);
	assert.deepEqual(expired, ["hard", "inactivity"]);
});

test("a resting call is not silent, and its limit on the whole goes on", (t) => {
	t.mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
	const expired: string[] = [];
	const resting = new Deadline({ hardMs: 1_000, inactivityMs: 100 }, (kind) => expired.push(kind));
	resting.rest();
	t.mock.timers.tick(500);
	assert.equal(expired.length, 0);
	resting.progress();
	t.mock.timers.tick(100);
	assert.deepEqual(expired, ["inactivity"]);
	resting.progress();
	t.mock.timers.tick(1_000);
	assert.deepEqual(expired, ["inactivity"]);
	new Deadline({ hardMs: 1_000, inactivityMs: 100 }, (kind) => expired.push(kind)).rest();
	t.mock.timers.tick(1_000);
	assert.deepEqual(expired, ["inactivity", "hard"]);
});

test("no limit means no timer, and a cleared deadline is silent", (t) => {
	t.mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
	const expired: string[] = [];
	new Deadline({ hardMs: 0 }, (kind) => expired.push(kind));
	new Deadline({ hardMs: 50 }, (kind) => expired.push(kind)).clear();
	t.mock.timers.tick(10_000_000);
	assert.deepEqual(expired, []);
});
