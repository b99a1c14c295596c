import { type DeadlineKind, LONGEST_TIMER_MS } from "../admission/deadline.ts";
import { createFault } from "../fault/fault.ts";
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
	void replaceIfHung(parts, worker, limitMs, detail).then((hung) => {
		if (!hung) parts.record.fault(fault);
	});
}

/**
 * Handles a call that the client gave up. Clients are often less patient than the limit, and would never let a worker that
 * hangs reach it: one that has said nothing since the call came, and says nothing until its limit, is judged then.
 */
export function givenUpByClient(parts: Parts, call: Call, worker: Worker): void {
	const limits = parts.book.deadlines(call);
	const limitMs = Math.min(limits.hardMs || Number.POSITIVE_INFINITY, limits.inactivityMs || Number.POSITIVE_INFINITY);
	const now = performance.now();
	const beganAt = call.counted?.beganAt ?? now;
	const { lastMessageAt } = worker;
	if (limitMs > LONGEST_TIMER_MS || lastMessageAt > beganAt || worker.suspectedAt > lastMessageAt) return;
	worker.suspectedAt = now;
	const silent = (): boolean => !worker.gone && !worker.paused && worker.lastMessageAt === lastMessageAt;
	const detail = `${named(call)}: no answer before the client gave it up, nor any other word in ${limitMs} ms`;
	const judge = (): void => void (silent() && replaceIfHung(parts, worker, limitMs, detail));
	setTimeout(judge, Math.max(0, limitMs - (now - beganAt))).unref();
}

async function replaceIfHung(parts: Parts, worker: Worker, limitMs: number, detail: string): Promise<boolean> {
	const { supervisor, dispatch } = parts;
	const hung = !(await isAwake(parts, worker, limitMs));
	const { generation } = worker;
	if (hung) await supervisor.replace(worker, createFault("timeout", "worker_hung", { detail, generation }));
	dispatch.pump();
	return hung;
}

const LONGEST_PING_MS = 3_000;

async function isAwake({ supervisor }: Parts, worker: Worker, limitMs: number): Promise<boolean> {
	const asked = performance.now();
	if (asked - worker.lastMessageAt < limitMs / 2) return true;
	// New calls wait for the verdict, so that a hung worker takes none of them with it.
	worker.setAside();
	// Any answer will do. One that could not come, because the client does not read, is no silence of the worker's.
	const awake = await worker.askMethod("ping", undefined, Math.min(LONGEST_PING_MS, limitMs / 4)).then(
		() => true,
		() => worker.paused || worker.lastMessageAt > asked,
	);
	if (awake && supervisor.active === worker) worker.serve();
	return awake;
}
