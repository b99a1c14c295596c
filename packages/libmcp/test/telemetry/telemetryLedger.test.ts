import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { createFault } from "../../src/fault/fault.ts";
import { LatencyHistogram } from "../../src/telemetry/methodCounts.ts";
import { toAttributes } from "../../src/telemetry/openTelemetry.ts";
import type { CallOutcome } from "../../src/telemetry/record.ts";
import { type CountedCall, TelemetryLedger, type TelemetrySnapshot } from "../../src/telemetry/telemetryLedger.ts";

const FAULT = createFault("ambiguous_outcome", "worker_exited", { detail: "exit code 1", generation: 3 });
const OUTCOMES: readonly CallOutcome[] = [
	{ kind: "ok" },
	{ kind: "error", code: -32602 },
	{ kind: "error", code: undefined },
	{ kind: "cancelled" },
	{ kind: "fault", fault: FAULT },
];

verifies(
	["002-telemetry-request-counts", "002-telemetry-per-method", "002-telemetry-common-core"],
	"after any history requests are successes, errors, cancelled and in flight, and methods sum to totals",
	() => {
		const step = fc.record({
			method: fc.constantFrom("tools/call read", "tools/call pay", "ping"),
			end: fc.option(fc.record({ which: fc.nat(20), outcome: fc.constantFrom(...OUTCOMES) })),
			retry: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const ledger = new TelemetryLedger();
				const calls: CountedCall[] = [];
				for (const { method, end, retry } of steps) {
					calls.push(ledger.began(method));
					if (retry) ledger.retried(method);
					const call = end && calls[end.which % calls.length];
					if (call) ledger.ended(call, end.outcome);
					balanced(ledger.snapshot());
				}
				assert.equal(ledger.snapshot().totals.requests, steps.length);
			}),
			{ numRuns: 200 },
		);
	},
);

verifies(
	["002-telemetry-success-error-counts", "002-telemetry-last-method-error", "002-telemetry-retry-counts"],
	"each outcome is counted once under its own name, and the last error stays typed",
	() => {
		const ledger = new TelemetryLedger();
		for (const outcome of OUTCOMES) {
			const call = ledger.began("tools/call pay");
			assert.ok(Number.isFinite(ledger.ended(call, outcome)));
			assert.equal(ledger.ended(call, { kind: "ok" }), undefined, "a second end is no end");
		}
		ledger.began("tools/call pay");
		ledger.retried("tools/call pay");
		const { totals, methods, lastMethodError } = ledger.snapshot();
		assert.deepEqual(totals, { requests: 6, successes: 1, errors: 3, cancelled: 1, inFlight: 1, retries: 1 });
		assert.ok(methods[0]?.lastError?.kind === "fault");
		assert.deepEqual(methods[0].lastError.fault, FAULT);
		assert.equal(lastMethodError?.method, "tools/call pay");
	},
);

verifies(
	["002-telemetry-restart-fault", "002-faults-drives-telemetry"],
	"faults are counted by class and code, and the one that led to the latest restart is kept",
	() => {
		const ledger = new TelemetryLedger();
		assert.equal(ledger.snapshot().restartFault, null);
		ledger.faulted(FAULT);
		ledger.faulted(FAULT);
		const exit = createFault("process", "exit", { detail: "" });
		ledger.faulted(exit);
		ledger.restarted(exit);
		ledger.restarted(FAULT);
		const { faults, restartFault } = ledger.snapshot();
		assert.deepEqual(faults, { "ambiguous_outcome.worker_exited": 2, "process.exit": 1 });
		assert.deepEqual(restartFault, FAULT);
	},
);

test("a peer that makes up method names cannot grow the ledger", () => {
	const ledger = new TelemetryLedger();
	for (let n = 0; n < 2_000; n++) ledger.ended(ledger.began(`m${n}`), { kind: "error", code: -32601 });
	const snapshot = ledger.snapshot();
	assert.equal(snapshot.methods.length, 257);
	assert.equal(snapshot.methods.find(({ method }) => method === "(other)")?.requests, 2_000 - 256);
	balanced(snapshot);
});

test("a peer that makes up long names cannot fill the memory with them", () => {
	const ledger = new TelemetryLedger();
	const long = (n: number) => `m${n} ${"x".repeat(100_000)}`;
	for (let n = 0; n < 100; n++) {
		const call = ledger.began(long(n));
		ledger.retried(long(n));
		ledger.ended(call, { kind: "error", code: -32601 });
	}
	const snapshot = ledger.snapshot();
	balanced(snapshot);
	assert.equal(snapshot.methods.length, 100);
	assert.deepEqual([snapshot.totals.errors, snapshot.totals.retries], [100, 100]);
	assert.match(snapshot.lastMethodError?.method ?? "", /^m99 x+…$/);
	assert.ok(JSON.stringify(ledger.state()).length < 1_000_000);
	const attributes = toAttributes("host", {
		...{ event: "call", at: 0, generation: 1, id: "1", latencyMs: 1, attempts: 1, outcome: "ok" },
		method: long(1),
		tool: long(2),
	});
	assert.ok(JSON.stringify(attributes).length < 2_000);
});

test("a successor goes on from the counters it was given", () => {
	const ledger = new TelemetryLedger();
	ledger.ended(ledger.began("a"), { kind: "ok" });
	ledger.began("a");
	ledger.retried("a");
	ledger.faulted(FAULT);
	ledger.restarted(FAULT);
	const heir = TelemetryLedger.restore(JSON.parse(JSON.stringify(ledger.state())));
	assert.deepEqual(heir.snapshot().totals, {
		requests: 1,
		successes: 1,
		errors: 0,
		cancelled: 0,
		inFlight: 0,
		retries: 1,
	});
	heir.began("a");
	assert.equal(heir.snapshot().totals.inFlight, 1);
	assert.deepEqual(heir.snapshot().restartFault, FAULT);
	assert.equal(heir.snapshot().methods[0]?.latency.count, 1);
});

test("percentiles are never too low and at most an eighth too high", () => {
	fc.assert(
		fc.property(
			fc.array(fc.double({ min: 0.001, max: 3_000_000, noNaN: true }), { minLength: 1, maxLength: 300 }),
			fc.constantFrom(0.5, 0.9, 0.99),
			(values, share) => {
				const histogram = new LatencyHistogram();
				for (const value of values) histogram.record(value);
				const exact = values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;
				const estimate = histogram.percentile(share);
				assert.ok(estimate >= exact * 0.999_999, `${estimate} is below ${exact}`);
				assert.ok(estimate <= exact * 1.125, `${estimate} is far above ${exact}`);
			},
		),
	);
	assert.equal(new LatencyHistogram().summary().p99Ms, 0);
	const odd = new LatencyHistogram();
	for (const value of [Number.NaN, -1, Number.POSITIVE_INFINITY]) odd.record(value);
	assert.equal(odd.summary().maxMs, 0);
});

function balanced({ totals, methods }: TelemetrySnapshot): void {
	for (const counts of [totals, ...methods]) {
		assert.equal(counts.requests, counts.successes + counts.errors + counts.cancelled + counts.inFlight);
		assert.ok(counts.inFlight >= 0);
	}
	for (const field of ["requests", "successes", "errors", "cancelled", "inFlight", "retries"] as const) {
		assert.equal(
			methods.reduce((sum, counts) => sum + counts[field], 0),
			totals[field],
		);
	}
}
