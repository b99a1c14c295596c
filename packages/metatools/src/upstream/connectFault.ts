import { createFault, type Fault } from "libmcp";
import { faultOf } from "./faultTable.ts";
import { hostFaultIn } from "./hostFault.ts";
import type { UpstreamFailure } from "./upstreamError.ts";

/** Converts a failure to connect into the fault shown in the server's health; `reason` is its text. */
export function connectFault(failure: UpstreamFailure, reason: string, generation: number): Fault {
	const given = { detail: reason, generation };
	switch (failure.kind) {
		case "timeout":
			return faultOf("connect_timeout", given);
		case "unauthorized":
			return faultOf("login_required", given);
		case "refused": {
			// For a stdio server its host answers, and its fault is more specific.
			const fault = hostFaultIn(failure);
			if (fault === undefined) return faultOf("connect_refused", given);
			return createFault(fault.class, fault.code, { ...given, retry: "later" });
		}
		case "lost":
		case "broken":
			return faultOf("connect_failed", given);
	}
}
