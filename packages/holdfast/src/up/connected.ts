import { setTimeout as delay } from "node:timers/promises";
import type { Gateway } from "metatools";

const CONNECT_MS = 15_000;

/** Waits until each server is up or has failed, within reason: what still connects is shown as such. */
export async function connected({ upstreams }: Pick<Gateway, "upstreams">, signal: AbortSignal): Promise<void> {
	const until = performance.now() + CONNECT_MS;
	while (!signal.aborted && performance.now() < until && upstreams.all.some(({ state }) => state.kind === "connecting"))
		await delay(50);
}
