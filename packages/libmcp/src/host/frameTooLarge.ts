import { createFault, type Fault } from "../fault/fault.ts";
import type { Settings } from "./settings.ts";

/** Why a message of either side was skipped, and what lets it through the next time. */
export function frameTooLarge(size: number, { maxFrameBytes }: Settings, generation: number): Fault {
	return createFault("resource", "frame_too_large", {
		detail: `a message of ${size} bytes; at most ${maxFrameBytes} are read (maxFrameBytes; of holdfast host, --max-frame)`,
		generation,
		retry: "never",
	});
}
