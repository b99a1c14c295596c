import type { HostOptions } from "libmcp/host";
import type { ErrorCode } from "../contract/errors.ts";

type HostFault = Parameters<NonNullable<HostOptions["errorCode"]>>[0];

/** The code of the table for a failure that the host reports in the worker's place. */
export function hostFaultCode({ code, class: kind }: HostFault): ErrorCode {
	return CODES[code] ?? (kind === "timeout" ? "TOOL_TIMEOUT" : "INTERNAL");
}

const CODES: Readonly<Record<string, ErrorCode>> = {
	bad_json: "INVALID_REQUEST",
	bad_envelope: "INVALID_REQUEST",
	duplicate_id: "INVALID_REQUEST",
	frame_too_large: "INVALID_REQUEST",
	queue_overloaded: "QUEUE_OVERLOADED",
};
