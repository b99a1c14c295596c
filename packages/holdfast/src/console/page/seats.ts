/** Browsers open six connections per server. This many pages may keep one for events; the rest are for requests. */
const SEATS = 3;

/**
 * Tells `work` whether it may keep a connection open, which it may not once all seats are taken. Over plain HTTP from
 * another machine, browsers offer no locks, so every page may.
 */
export async function seated<Result>(work: (mayStay: boolean) => Promise<Result>): Promise<Result> {
	if (!window.isSecureContext) return work(true);
	for (let seat = 0; seat < SEATS; seat++) {
		const taken = await navigator.locks.request(
			`holdfast.events.${seat}`,
			{ ifAvailable: true },
			async (lock) => lock && { result: await work(true) },
		);
		if (taken !== null) return taken.result;
	}
	return work(false);
}
