import { setTimeout as delay } from "node:timers/promises";
import { END_OF_INPUT_MS, TOLD_MS } from "../admission/deadline.ts";
import { makeFault } from "../fault/faultTable.ts";
import { createGivenUpFault } from "./calls/replayFaults.ts";
import type { Parts } from "./parts.ts";

type ShutdownParts = Pick<Parts, "ledger" | "dispatch" | "supervisor" | "roster" | "port" | "record" | "book">;

const POLL_MS = 10;

/**
 * Lets calls in flight finish within a limit, which is shorter once the host is told to end; then fails the rest and
 * ends every process. When the client is gone, it starts nothing and finishes only calls that must not be interrupted.
 */
export async function shutDown(parts: ShutdownParts, isTold: () => boolean): Promise<void> {
	const { ledger, dispatch, supervisor, roster, port, record, book } = parts;
	record.board.stopping();
	const closing = makeFault("host_closing", {
		detail: "the host was told to end",
		generation: roster.generation,
	});
	const open = (): boolean => {
		const deserted = port.deserted();
		if (deserted) {
			dispatch.failWaiting(closing);
			// Workers paused for a slow reader would stay paused forever, because that reader is gone.
			for (const worker of roster.workers) worker.pause(false);
		}
		return ledger.calls().some((call) => !(call.standing || (deserted && book.contract(call) === "convergent")));
	};
	const began = performance.now();
	const inTime = (): boolean => performance.now() - began < (isTold() ? TOLD_MS : END_OF_INPUT_MS);
	while (open() && inTime()) await delay(POLL_MS);
	dispatch.failWaiting(closing);
	for (const call of ledger.calls()) {
		if (call.standing) ledger.settle(call, { kind: "cancelled" });
		else ledger.fail(call, createGivenUpFault(call, book.contract(call), closing));
	}
	await Promise.all([port.drained(), supervisor.stop()]);
	port.stop();
	record.close();
}
