import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";

const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 30_000;
const WANTED = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/**
 * Reopens the subscription to a server without sessions whenever it breaks, until the connection is closed. Changes in
 * between would be missed, so each reopening counts as a change.
 */
export async function keepListening(client: Client, over: AbortSignal, onChanged: () => void): Promise<void> {
	let subscription = client.autoOpenedSubscription;
	while (subscription !== undefined) {
		await subscription.closed;
		subscription = undefined;
		for (let pause = FIRST_PAUSE_MS; subscription === undefined; pause = Math.min(LAST_PAUSE_MS, 2 * pause)) {
			await delay(pause, undefined, { signal: over, ref: false }).catch(() => {});
			if (over.aborted) return;
			subscription = await client.listen(WANTED, { signal: over }).catch(() => undefined);
		}
		onChanged();
	}
}
