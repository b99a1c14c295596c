/** The promise's value, unless the signal aborts first; a late value is passed to `discard`. */
export function abandonable<T>(promise: Promise<T>, signal: AbortSignal, discard: (late: T) => void): Promise<T> {
	return new Promise((resolve, reject) => {
		const abandon = () => {
			reject(signal.reason);
			promise.then(discard, () => {});
		};
		if (signal.aborted) return abandon();
		signal.addEventListener("abort", abandon, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abandon));
	});
}
