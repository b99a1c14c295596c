import { setTimeout as delay } from "node:timers/promises";
import { createFault } from "../fault/fault.ts";
import type { Parts } from "./parts.ts";
import { givenUp } from "./replayFaults.ts";

/** A client that asks and closes its end, as a script does, waits for its answers, even from a server still starting. */
const END_OF_INPUT_MS = 10_000;
/** SDK clients send SIGTERM two seconds after they close the pipe, and have no mercy two seconds later. */
const TOLD_MS = 1_500;
const POLL_MS = 10;

/**
 * Lets calls in flight finish within a limit, shorter once the host is told to end; fails the rest, and leaves no process
 * behind. When the client is gone altogether, only what may not be interrupted is finished, and nothing begun.
 */
export async function shutDown(parts: Parts, isTold: () => boolean): Promise<void> {
	const { ledger, dispatch, supervisor, port, record, book } = parts;
	record.board.stopping();
	const closing = createFault("transport", "host_closing", {
		detail: "the host was told to end",
		generation: supervisor.generation,
	});
	const open = (): boolean => {
		const deserted = port.deserted();
		if (deserted) {
			dispatch.failWaiting(closing);
			// Held up while the client did not read, they would never be heard again: nobody will.
			for (const worker of supervisor.workers) worker.pause(false);
		}
		return ledger.calls().some((call) => !(call.standing || (deserted && book.contract(call) === "convergent")));
	};
	const began = performance.now();
	const inTime = (): boolean => performance.now() - began < (isTold() ? TOLD_MS : END_OF_INPUT_MS);
	while (open() && inTime()) await delay(POLL_MS);
	dispatch.failWaiting(closing);
	for (const call of ledger.calls()) {
		if (call.standing) ledger.settle(call, { kind: "cancelled" });
		else ledger.fail(call, givenUp(call, book.contract(call), closing));
	}
	await Promise.all([port.drained(), supervisor.stop()]);
	port.stop();
	record.close();
}
