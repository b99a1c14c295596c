import { setTimeout as delay } from "node:timers/promises";
import type { Gateway } from "../server/gateway.ts";

const POLL_MS = 25;

// A one-off command waits for all servers; one that fails has reported why on stderr.
export async function settled(gateway: Gateway): Promise<void> {
	const deadline = Date.now() + gateway.settings.connectTimeout;
	while (Date.now() < deadline && gateway.upstreams.all.some(({ state }) => state.kind === "connecting"))
		await delay(POLL_MS);
}
