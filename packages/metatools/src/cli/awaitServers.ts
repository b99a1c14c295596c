import { setTimeout as delay } from "node:timers/promises";
import type { Gateway } from "../server/gateway.ts";

const POLL_MS = 25;

/** Waits until no server is still connecting, for commands that run once. A server that fails reports why on stderr. */
export async function awaitServers(gateway: Gateway): Promise<void> {
	const deadline = performance.now() + gateway.settings.connectTimeout;
	while (performance.now() < deadline && gateway.upstreams.all.some(({ state }) => state.kind === "connecting"))
		await delay(POLL_MS);
}
