import type { DeadlineKind } from "../admission/deadline.ts";
import { createFault } from "../fault/fault.ts";
import type { Call } from "./call.ts";
import type { Parts } from "./parts.ts";
import { named } from "./replayFaults.ts";

/**
 * Handles a call that passed its limit. If its worker is still talking, only the call is given up; a worker that was
 * silent for half the limit counts as hung and is replaced.
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
	const { worker, wireId } = call;
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
	worker.abandon(wireId);
	worker.notify("notifications/cancelled", { requestId: JSON.parse(wireId), reason: "deadline passed" });
	if (performance.now() - worker.lastMessageAt < limitMs / 2) {
		parts.record.fault(fault);
		dispatch.pump();
		return;
	}
	const hung = createFault("timeout", "worker_hung", { detail, generation: worker.generation });
	void supervisor.replace(worker, hung);
}
