import { setTimeout as delay } from "node:timers/promises";

/** The promise's value; after `ms`, an error that names what was waited for. */
export async function within<Value>(ms: number, promise: Promise<Value>, what: string): Promise<Value> {
	const timeout = new AbortController();
	try {
		return await Promise.race([
			promise,
			delay(ms, undefined, { signal: timeout.signal }).then(() => {
				throw new Error(`${what}: no answer within ${ms} ms`);
			}),
		]);
	} finally {
		timeout.abort();
	}
}
