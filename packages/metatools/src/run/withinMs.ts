import { createContext, Script } from "node:vm";
import { isObject } from "../contract/json.ts";

// The one thing in Node that ends synchronous work from outside, expressions included. It costs a thread, so some 100 µs.
const script = new Script("run()");
let task: () => unknown = () => undefined;
let context: ReturnType<typeof createContext> | undefined;

/** Runs synchronous work, which is broken off and throws once the time is over. Not for work that leaves things half done. */
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
	// It is an Error of that other context, not of this one.
	return isObject(thrown) && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
