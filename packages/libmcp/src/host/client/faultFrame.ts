import type { Buffer } from "node:buffer";
import type { Fault, FaultFields } from "../../fault/fault.ts";
import { createFaultResponse } from "../../fault/faultResponse.ts";
import { makeFault } from "../../fault/faultTable.ts";
import type { RequestId } from "../../wire/requestId.ts";
import type { Settings } from "../settings/settings.ts";
import { encodeError } from "./clientPort.ts";

/** A fault as an answer to the client, with the server's own code for it if its contract demands one. */
export function encodeFault(
	{ errorCode }: Pick<Settings, "errorCode">,
	id: RequestId | undefined,
	fault: Fault,
	extra: Readonly<Record<string, unknown>> = {},
): Buffer {
	return encodeError(
		id,
		createFaultResponse(fault, errorCode === undefined ? extra : { code: errorCode(fault), ...extra }),
	);
}

/** The fault for a skipped message of either side that is no answer to a call. */
export function createFrameTooLargeFault(size: number, settings: Settings, generation: number): Fault {
	return makeFault("frame_too_large", { ...sizes(size, settings), generation, retry: "never" });
}

/** The fault for a worker's skipped answer: unlike a skipped request, its call has run. */
export function createAnswerTooLargeFault(
	size: number,
	settings: Settings,
	generation: number,
	isRepeatable: boolean,
): Fault {
	const retry = isRepeatable ? "never" : "unsafe";
	return makeFault("answer_too_large", { ...sizes(size, settings), generation, retry });
}

/** Says which setting would let the message through. */
function sizes(size: number, { maxFrameBytes }: Settings): FaultFields {
	const setting = "raise maxFrameBytes, or --max-frame of holdfast host";
	return { detail: `a message of ${size} bytes; at most ${maxFrameBytes} are read (${setting})` };
}
