import assert from "node:assert/strict";
import { verifies } from "../../../../e2e/verifies.ts";
import { createFault } from "../../src/fault/fault.ts";
import { extendHealth, HealthBoard } from "../../src/telemetry/healthBoard.ts";

const FAULT = createFault("process", "worker_exited", { detail: "exit code 1", generation: 1 });

verifies(
	["002-health-common-core", "002-health-lifecycle-state"],
	"the state follows a start, a crash, a spent budget, a restart and a stop",
	() => {
		const board = new HealthBoard();
		const states = [board.snapshot().state];
		const then = (step: () => void) => {
			step();
			states.push(board.snapshot().state);
		};
		then(() => board.starting(1));
		then(() => board.ready(1));
		then(() => board.restarting());
		then(() => board.starting(2));
		then(() => board.failing());
		then(() => board.ready(2));
		then(() => board.stopping());
		then(() => board.restarting());
		then(() => board.stopped());
		then(() => board.ready(3));
		assert.deepEqual(states, [
			"cold",
			"starting",
			"ready",
			"recovering",
			"recovering",
			"failing",
			"ready",
			"stopping",
			"stopping",
			"stopped",
			"stopped",
		]);
		assert.deepEqual(Object.keys(new HealthBoard().snapshot()), [
			"state",
			"generation",
			"uptimeMs",
			"consecutiveFailures",
			"restartCount",
			"rollout",
			"lastFault",
		]);
	},
);

verifies(
	"002-health-generation",
	"the generation is that of the worker that serves, and each new one has a higher",
	() => {
		const board = new HealthBoard();
		assert.equal(board.snapshot().generation, 0);
		board.starting(1);
		board.starting(2);
		assert.equal(board.snapshot().generation, 2);
		assert.throws(() => board.starting(2), /generation: expected an integer above 2, got 2/);
		assert.throws(() => board.starting(Number.NaN), RangeError);
		board.ready(1);
		assert.equal(board.snapshot().generation, 1, "a rollback to an older worker");
		assert.throws(() => board.starting(2), /generation: expected an integer above 2, got 2/);
		board.starting(3);
		assert.equal(board.snapshot().generation, 3);
	},
);

verifies("002-health-uptime", "the uptime is the host's and goes on through restarts", () => {
	let clock = 1_000;
	const board = new HealthBoard(() => clock);
	clock += 250;
	board.starting(1);
	board.restarting();
	board.starting(2);
	assert.equal(board.snapshot().uptimeMs, 250);
});

verifies(
	["002-health-consecutive-failures", "002-health-restart-count", "002-health-last-fault"],
	"failures add up until a success, restarts add up for good, and the last fault stays typed",
	() => {
		const board = new HealthBoard();
		assert.equal(board.snapshot().lastFault, null);
		board.faulted(FAULT);
		board.faulted({ ...FAULT, code: "worker_killed" });
		board.restarting();
		board.restarting();
		assert.equal(board.snapshot().consecutiveFailures, 2);
		board.succeeded();
		const { consecutiveFailures, restartCount, lastFault } = board.snapshot();
		assert.deepEqual({ consecutiveFailures, restartCount }, { consecutiveFailures: 0, restartCount: 2 });
		assert.deepEqual(lastFault, { ...FAULT, code: "worker_killed" });
	},
);

verifies("002-faults-drives-health", "a fault is shown as it is, with no further parsing", () => {
	const board = new HealthBoard();
	board.faulted(FAULT);
	assert.deepEqual(JSON.parse(JSON.stringify(board.snapshot())).lastFault, {
		class: "process",
		code: "worker_exited",
		detail: "exit code 1",
		generation: 1,
		hint: "replace_worker",
		retry: "later",
	});
});

verifies("002-health-rollout-state", "each step of a rollout shows", () => {
	const board = new HealthBoard();
	assert.equal(board.snapshot().rollout, "stable");
	board.rollout("handshake");
	assert.equal(board.snapshot().rollout, "handshake");
});

verifies("002-health-extensible", "a consumer adds fields and cannot shadow a base field", () => {
	const base = new HealthBoard().snapshot();
	const extended = extendHealth(base, { indexedFiles: 12 });
	assert.equal(extended.indexedFiles, 12);
	assert.equal(extended.state, "cold");
	const shadow: Record<string, never> = JSON.parse('{"state":"fine"}');
	assert.throws(() => extendHealth(base, shadow), /health field "state" belongs to the base payload/);
});
