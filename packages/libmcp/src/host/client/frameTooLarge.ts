import type { Fault } from "../../fault/fault.ts";
import { faultOf } from "../../fault/faultTable.ts";
import type { Settings } from "../settings/settings.ts";

/** The fault for a skipped message of either side; its detail says which setting would let it through. */
export function frameTooLarge(size: number, { maxFrameBytes }: Settings, generation: number): Fault {
	return faultOf("frame_too_large", {
		detail: `a message of ${size} bytes; at most ${maxFrameBytes} are read (raise maxFrameBytes, or --max-frame of holdfast host)`,
		generation,
		retry: "never",
	});
}
