import { setTimeout as delay } from "node:timers/promises";
import { createFault } from "../fault/fault.ts";
import type { Parts } from "./parts.ts";
import { givenUp } from "./replayFaults.ts";

/** SDK clients send SIGTERM two seconds after they close the pipe; answers that come must be out by then. */
const FLUSH_MS = 1_500;
const POLL_MS = 10;

/** Lets calls in flight finish within the limit, fails the rest, and leaves no process behind. */
export async function shutDown(parts: Parts): Promise<void> {
	const { ledger, dispatch, supervisor, port, record, book } = parts;
	record.board.stopping();
	const until = performance.now() + FLUSH_MS;
	const open = (): boolean => ledger.calls().some((call) => !call.standing);
	while (open() && performance.now() < until) await delay(POLL_MS);
	const closing = createFault("transport", "host_closing", {
		detail: "the host was told to end",
		generation: supervisor.generation,
	});
	dispatch.failWaiting(closing);
	for (const call of ledger.calls()) {
		if (call.standing) ledger.settle(call, { kind: "cancelled" });
		else ledger.fail(call, givenUp(call, book.contract(call), closing));
	}
	await Promise.all([port.drained(), supervisor.stop()]);
	port.stop();
	record.close();
}
