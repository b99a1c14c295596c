import { createFault, type Fault } from "libmcp";
import { faultOf } from "./faultTable.ts";
import { hostFaultIn } from "./hostFault.ts";
import { shortageOf } from "./shortage.ts";
import type { UpstreamFailure } from "./upstreamError.ts";

/** Converts a failure to connect into the fault shown in the server's health; `reason` is its text. */
export function connectFault(
	failure: UpstreamFailure,
	reason: string,
	generation: number,
	hostFault?: Fault | null,
): Fault {
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
			// A host that has given up answers only that; how the process ended is the cause.
			const isCause =
				(fault.code === "worker_unavailable" && hostFault?.class === "process") ||
				shortageOf(hostFault?.code) !== undefined;
			const cause = isCause && hostFault ? hostFault : fault;
			return createFault(cause.class, cause.code, { ...given, retry: "later" });
		}
		case "lost":
		case "unreadable":
		case "broken":
		case "busy":
			return faultOf("connect_failed", given);
	}
}
