import type { Buffer } from "node:buffer";
import type { Fault, FaultFields } from "../../fault/fault.ts";
import { faultResponse } from "../../fault/faultResponse.ts";
import { faultOf } from "../../fault/faultTable.ts";
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

/** The fault for a skipped message of either side that is no answer to a call. */
export function frameTooLarge(size: number, settings: Settings, generation: number): Fault {
	return faultOf("frame_too_large", { ...sizes(size, settings), generation, retry: "never" });
}

/** The fault for a worker's skipped answer: unlike a skipped request, its call has run. */
export function answerTooLarge(size: number, settings: Settings, generation: number, isRepeatable: boolean): Fault {
	const retry = isRepeatable ? "never" : "unsafe";
	return faultOf("answer_too_large", { ...sizes(size, settings), generation, retry });
}

/** Says which setting would let the message through. */
function sizes(size: number, { maxFrameBytes }: Settings): FaultFields {
	const setting = "raise maxFrameBytes, or --max-frame of holdfast host";
	return { detail: `a message of ${size} bytes; at most ${maxFrameBytes} are read (${setting})` };
}
