import { createFault, type Fault, isFault } from "libmcp";
import { isObject } from "../contract/json.ts";
import type { UpstreamFailure } from "./upstreamError.ts";

/** Converts a failure to connect into the fault shown in the server's health; `reason` is its text. */
export function connectFault(failure: UpstreamFailure, reason: string, generation: number): Fault {
	const given = { detail: reason, generation, retry: "later" } as const;
	switch (failure.kind) {
		case "timeout":
			return createFault("timeout", "connect_timeout", given);
		case "unauthorized":
			return createFault("downstream", "login_required", { ...given, retry: "never" });
		case "refused": {
			// For a stdio server its host answers, and its fault is more specific.
			const fault = isObject(failure.data) && isFault(failure.data.fault) ? failure.data.fault : undefined;
			return createFault(fault?.class ?? "downstream", fault?.code ?? "connect_refused", given);
		}
		case "lost":
		case "broken":
			return createFault("transport", "connect_failed", given);
	}
}
