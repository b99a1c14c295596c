import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "../worker/worker.ts";
import type { Session } from "./session.ts";

const LONGEST_MS = 2_000;
const POLL_MS = 5;
const PING_MS = 1_000;
const SETTLE_MS = 50;

/**
 * Waits until a new worker has the client's roots. A server that uses roots asks for them when its session begins and
 * refuses calls until it has them. Clients allow for that when they connect, but calls queued for a new worker would
 * arrive too soon.
 */
export async function awaitRoots(worker: Worker, session: Session, timeoutMs: number): Promise<void> {
	if (!(session.asksForRoots && worker.toldInitialized)) return;
	const until = performance.now() + Math.min(LONGEST_MS, timeoutMs);
	while (!(worker.roots === "given" || worker.over) && performance.now() < until) await delay(POLL_MS);
	if (worker.over) return;
	session.asksForRoots = worker.roots !== "not asked";
	if (worker.roots !== "given") return;
	// The ping's answer shows that the worker has read the roots; the delay lets it look at each on disk.
	await worker.askMethod("ping", undefined, PING_MS).catch(() => undefined);
	await delay(SETTLE_MS);
}
