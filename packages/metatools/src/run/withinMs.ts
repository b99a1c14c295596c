import { createContext, Script } from "node:vm";
import { isObject } from "../contract/json.ts";

// `vm` timeouts are the only way in Node to interrupt synchronous work, regular expressions included. Costs some 100 µs.
const script = new Script("run()");
let task: () => unknown = () => undefined;
let context: ReturnType<typeof createContext> | undefined;

/** Runs synchronous work with a time limit; throws when it is exceeded. The work must be safe to interrupt anywhere. */
export function withinMs<T>(timeout: number, work: () => T): T {
	let result: { readonly value: T } | undefined;
	task = () => {
		result = { value: work() };
	};
	context ??= createContext({ run: () => task() });
	script.runInContext(context, { timeout });
	if (result === undefined) throw new Error("the work did not run");
	return result.value;
}

export function isTimeout(thrown: unknown): boolean {
	// The error belongs to the other context, so `instanceof Error` is false here.
	return isObject(thrown) && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
