import { type DeadlineKind, LONGEST_TIMER_MS } from "../../admission/deadline.ts";
import { makeFault } from "../../fault/faultTable.ts";
import type { Settings } from "../settings/settings.ts";
import type { HostRecord } from "../state/hostRecord.ts";
import type { Roster } from "../state/roster.ts";
import type { Call } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import type { ContractBook } from "./contractBook.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Ledger } from "./ledger.ts";
import { nameCall } from "./replayFaults.ts";

/** What is asked and told about a worker that may hang. */
export type HangParts = {
	readonly settings: Pick<Settings, "privateWorker">;
	readonly record: Pick<HostRecord, "fault">;
	readonly roster: Pick<Roster, "active" | "generation" | "replace">;
	readonly book: Pick<ContractBook, "contract" | "deadlines">;
	readonly ledger: Pick<Ledger, "fail" | "watch">;
	readonly dispatch: Pick<Dispatch, "pump" | "remove">;
};

/**
 * Handles a call that passed its limit. If the worker has spoken lately or answers a ping, only the call fails: it may
 * be waiting for a network or for the client. A worker that was silent for half the limit and answers no ping is
 * replaced.
 */
export function handlePassedDeadline(parts: HangParts, call: Call, kind: DeadlineKind): void {
	const { book, ledger, dispatch, roster } = parts;
	const limits = book.deadlines(call);
	const limitMs = (kind === "hard" ? limits.hardMs : limits.inactivityMs) ?? 0;
	const { worker } = call;
	// The answer may already be in the pipe: while the client does not read, the host does not read the worker either.
	if (worker?.paused === true) {
		ledger.watch(call);
		return;
	}
	const leftMs = leftOfTurn(parts, worker ?? roster.active, limitMs);
	if (leftMs > 0) {
		ledger.watch(call, kind === "hard" ? { ...limits, hardMs: leftMs } : { ...limits, inactivityMs: leftMs });
		return;
	}
	const begun = call.knowledge !== "not_dispatched";
	const repeatable = !begun || book.contract(call) === "convergent";
	const detail = `${nameCall(call)}: ${kind === "hard" ? "no answer" : "no sign of life"} in ${limitMs} ms`;
	const fault = makeFault("deadline_passed", {
		detail,
		generation: worker?.generation ?? roster.generation,
		retry: repeatable ? "safe" : "unsafe",
	});
	// First of all, since a client in this process may send its next call while it is told of this one.
	if (worker !== undefined && !worker.gone) {
		worker.calls.abandon(call);
		worker.gaveUpAt = performance.now();
		worker.notify("notifications/cancelled", { requestId: JSON.parse(call.wireId), reason: "deadline passed" });
		void replaceIfHung(parts, worker, limitMs, detail).then((hung) => {
			if (!hung) parts.record.fault(fault);
		});
	}
	ledger.fail(call, fault);
	dispatch.remove(call);
}

/** What is left of the limit for a worker that takes calls in order, since it ended the one before. */
function leftOfTurn({ settings }: HangParts, worker: Worker | undefined, limitMs: number): number {
	if (worker === undefined || settings.privateWorker?.inOrder !== true) return 0;
	return limitMs - (performance.now() - Math.max(worker.lastMessageAt, worker.gaveUpAt));
}

/** A client that gives up sooner may just have changed its mind. */
const PATIENT_MS = 10_000;

/**
 * Handles a call that the client cancelled. Clients often give up before the limit, so a hung worker would never reach
 * it. If the worker has been silent since the call came and stays silent until the limit, it is checked then. It is
 * checked at once if the client gives up the next call too and no other call is in flight that a restart would lose.
 */
export function handleCancelledByClient(parts: HangParts, call: Call, worker: Worker): void {
	const limits = parts.book.deadlines(call);
	const limitMs = Math.min(limits.hardMs || Number.POSITIVE_INFINITY, limits.inactivityMs || Number.POSITIVE_INFINITY);
	const now = performance.now();
	const beganAt = call.counted?.beganAt ?? now;
	const { lastMessageAt } = worker;
	if (lastMessageAt > beganAt) return;
	if (worker.suspectedAt > lastMessageAt) {
		const waitedMs = now - beganAt;
		const inVain = beganAt >= worker.suspectedAt && waitedMs >= Math.min(PATIENT_MS, limitMs / 10);
		const why = `${nameCall(call)}: given up by the client after ${Math.round(waitedMs)} ms, like the call before it`;
		if (inVain && worker.calls.idle) void replaceIfHung(parts, worker, waitedMs, why);
		return;
	}
	worker.suspectedAt = now;
	if (limitMs > LONGEST_TIMER_MS) return;
	const silent = (): boolean => !worker.gone && !worker.paused && worker.lastMessageAt === lastMessageAt;
	const detail = `${nameCall(call)}: no answer before the client gave up, and no other output in ${limitMs} ms`;
	const judge = (): void => void (silent() && replaceIfHung(parts, worker, limitMs, detail));
	setTimeout(judge, Math.max(0, limitMs - (now - beganAt))).unref();
}

async function replaceIfHung(parts: HangParts, worker: Worker, limitMs: number, detail: string): Promise<boolean> {
	const { roster, dispatch } = parts;
	const hung = !(await isAwake(parts, worker, limitMs));
	const { generation } = worker;
	if (hung) await roster.replace(worker, makeFault("worker_hung", { detail, generation }));
	dispatch.pump();
	return hung;
}

const LONGEST_PING_MS = 3_000;

async function isAwake({ roster }: HangParts, worker: Worker, limitMs: number): Promise<boolean> {
	const asked = performance.now();
	if (asked - worker.lastMessageAt < limitMs / 2) return true;
	// New calls wait for the verdict, so that replacing a hung worker loses none of them.
	worker.setAside();
	// Any answer proves life. If the client does not read, the answer could not come, so that counts as alive too.
	const awake = await worker.askMethod("ping", undefined, Math.min(LONGEST_PING_MS, limitMs / 4)).then(
		() => true,
		() => worker.paused || worker.lastMessageAt > asked,
	);
	if (awake && roster.active === worker) worker.serve();
	return awake;
}
