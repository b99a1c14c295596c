import type { Buffer } from "node:buffer";
import type { Fault } from "../../fault/fault.ts";
import { faultResponse } from "../../fault/faultResponse.ts";
import type { RequestId } from "../../wire/requestId.ts";
import type { Settings } from "../settings/settings.ts";
import { errorFrame } from "./clientPort.ts";

/** A fault as an answer to the client, with the server's own code for it if its contract demands one. */
export function faultFrame(
	{ errorCode }: Pick<Settings, "errorCode">,
	id: RequestId | undefined,
	fault: Fault,
	extra: Readonly<Record<string, unknown>> = {},
): Buffer {
	return errorFrame(id, faultResponse(fault, errorCode === undefined ? extra : { code: errorCode(fault), ...extra }));
}
