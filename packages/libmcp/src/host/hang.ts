import type { DeadlineKind } from "../admission/deadline.ts";
import { createFault, type Fault } from "../fault/fault.ts";
import type { Call } from "./call.ts";
import type { Parts } from "./parts.ts";
import { named } from "./replayFaults.ts";
import type { Worker } from "./worker.ts";

/**
 * Handles a call that passed its limit. Only the call is given up if its worker still speaks, or answers a ping: it may
 * be waiting for a network or for the client. One that was silent for half the limit and answers none is replaced.
 */
export function deadlinePassed(parts: Parts, call: Call, kind: DeadlineKind): void {
	const { book, ledger, dispatch, supervisor } = parts;
	// The answer may have come: while the client does not read, the host does not hear the worker either.
	if (call.worker?.paused === true) {
		ledger.watch(call);
		return;
	}
	const limits = book.deadlines(call);
	const limitMs = (kind === "hard" ? limits.hardMs : limits.inactivityMs) ?? 0;
	const { worker } = call;
	const begun = call.knowledge !== "not_dispatched";
	const repeatable = !begun || book.contract(call) === "convergent";
	const detail = `${named(call)}: ${kind === "hard" ? "no answer" : "no sign of life"} in ${limitMs} ms`;
	const fault = createFault("timeout", "deadline_passed", {
		detail,
		generation: worker?.generation ?? supervisor.generation,
		retry: repeatable ? "safe" : "unsafe",
	});
	ledger.fail(call, fault);
	dispatch.remove(call);
	if (worker === undefined || worker.gone) return;
	worker.calls.abandon(call);
	worker.notify("notifications/cancelled", { requestId: JSON.parse(call.wireId), reason: "deadline passed" });
	void judge(parts, worker, limitMs, fault);
}

async function judge(parts: Parts, worker: Worker, limitMs: number, passed: Fault): Promise<void> {
	const { record, supervisor, dispatch } = parts;
	const { detail, generation } = passed;
	if (await isAwake(parts, worker, limitMs)) record.fault(passed);
	else await supervisor.replace(worker, createFault("timeout", "worker_hung", { detail, generation }));
	dispatch.pump();
}

const LONGEST_PING_MS = 3_000;

async function isAwake({ supervisor }: Parts, worker: Worker, limitMs: number): Promise<boolean> {
	const asked = performance.now();
	if (asked - worker.lastMessageAt < limitMs / 2) return true;
	// New calls wait for the verdict, so that a hung worker takes none of them with it.
	worker.ready = false;
	// Any answer will do. One that could not come, because the client does not read, is no silence of the worker's.
	const awake = await worker.askMethod("ping", undefined, Math.min(LONGEST_PING_MS, limitMs / 4)).then(
		() => true,
		() => worker.paused || worker.lastMessageAt > asked,
	);
	if (awake && supervisor.active === worker && worker.verdict === undefined) worker.ready = true;
	return awake;
}
