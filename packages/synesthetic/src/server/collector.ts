import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects the young generation, or without options everything. */
export type Collect = (options?: { readonly type: "minor" }) => void;

/** The engine's garbage collector as a function. */
export function collector(): Collect {
	setFlagsFromString("--expose-gc");
	// Only a context created after setting the flag has `gc`.
	return runInNewContext("gc");
}
