import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";

const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 30_000;
const WANTED = { toolsListChanged: true };

/**
 * Opens the subscription of a server without sessions again whenever it breaks off, until the connection is over. What
 * changed meanwhile went unheard, so that counts as a change.
 */
export async function keepListening(client: Client, over: AbortSignal, onToolsChanged: () => void): Promise<void> {
	let subscription = client.autoOpenedSubscription;
	while (subscription !== undefined) {
		await subscription.closed;
		subscription = undefined;
		for (let pause = FIRST_PAUSE_MS; subscription === undefined; pause = Math.min(LAST_PAUSE_MS, 2 * pause)) {
			await delay(pause, undefined, { signal: over, ref: false }).catch(() => {});
			if (over.aborted) return;
			subscription = await client.listen(WANTED, { signal: over }).catch(() => undefined);
		}
		onToolsChanged();
	}
}
