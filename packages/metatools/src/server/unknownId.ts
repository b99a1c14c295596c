import { cutText } from "../catalog/text.ts";
import { ToolError } from "../contract/errors.ts";

const MAX_SHOWN = 120;

/** The error for an unknown toolset or skill. */
export function unknownId(noun: "toolset" | "skill", id: string, known: readonly string[]): ToolError {
	const asked = cutText(id, MAX_SHOWN);
	return new ToolError("tool_not_found", `No ${noun} is called ${asked}; there is ${known.join(", ") || "none"}.`, {
		op: "resolve",
		details: { [`${noun}_id`]: asked },
	});
}
