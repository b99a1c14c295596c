import { createContext, Script } from "node:vm";
import { isObject } from "../../contract/json.ts";

/** A starved process may wait this many times longer than the work takes. */
const MOST_WAITING = 8;

/**
 * Runs synchronous work with a limit on its CPU time; throws when it uses more. Node can interrupt work only by the wall
 * clock, so work that was interrupted because the machine was busy is begun anew with more time. The work must be safe to
 * interrupt anywhere, and to repeat.
 */
export function runWithinCpuMs<T>(limit: number, work: () => T): T {
	for (let timeout = limit; ; timeout *= 2) {
		const began = usedCpuMs();
		try {
			return withinMs(timeout, work);
		} catch (thrown) {
			if (!isTimeout(thrown) || usedCpuMs() - began >= limit / 2 || timeout >= MOST_WAITING * limit) throw thrown;
		}
	}
}

export function isTimeout(thrown: unknown): boolean {
	// The error belongs to the other context, so `instanceof Error` is false here.
	return isObject(thrown) && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

// `vm` timeouts are the only way in Node to interrupt synchronous work, regular expressions included. Costs some 100 µs.
const script = new Script("run()");
let task: () => unknown = () => undefined;
let context: ReturnType<typeof createContext> | undefined;

function withinMs<T>(timeout: number, work: () => T): T {
	let result: { readonly value: T } | undefined;
	task = () => {
		result = { value: work() };
	};
	context ??= createContext({ run: () => task() });
	script.runInContext(context, { timeout });
	if (result === undefined) throw new Error("the work did not run");
	return result.value;
}

/** CPU time of this thread if Node can measure it (since 23.9), else of all threads. */
function usedCpuMs(): number {
	const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
	return (user + system) / 1_000;
}
