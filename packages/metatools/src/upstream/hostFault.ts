import { type Fault, isFault } from "libmcp";
import { isObject } from "../contract/json.ts";
import type { UpstreamFailure } from "./upstreamError.ts";

/** Why the server did not answer, if its host answered for it. */
export function hostFaultIn(failure: UpstreamFailure): Fault | undefined {
	const fault = failure.kind === "refused" && isObject(failure.data) ? failure.data.fault : undefined;
	return isFault(fault) ? fault : undefined;
}
