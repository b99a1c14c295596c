import type { Fault } from "../fault/fault.ts";

/** How a call ended. An error without a code is a tool's own `isError` result; `fault` if a server behind sent it. */
export type CallOutcome =
	| { readonly kind: "ok" }
	| { readonly kind: "error"; readonly code: number | undefined; readonly fault?: Fault }
	| { readonly kind: "cancelled" }
	| { readonly kind: "fault"; readonly fault: Fault };

/** The last thing that went wrong in a method, as data; never contains a message of the server's. */
export type MethodError =
	| { readonly kind: "fault"; readonly at: number; readonly fault: Fault }
	| { readonly kind: "response"; readonly at: number; readonly code: number; readonly fault?: Fault }
	| { readonly kind: "tool"; readonly at: number };

/** Undefined for an outcome that is not a failure. */
export function methodError(outcome: CallOutcome, at: number): MethodError | undefined {
	switch (outcome.kind) {
		case "fault":
			return { kind: "fault", at, fault: outcome.fault };
		case "error":
			if (outcome.code === undefined) return { kind: "tool", at };
			return { kind: "response", at, code: outcome.code, ...(outcome.fault && { fault: outcome.fault }) };
		case "ok":
		case "cancelled":
			return undefined;
	}
}
