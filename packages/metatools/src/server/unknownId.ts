import { ToolError } from "../contract/errors.ts";

/** What to say of a toolset or skill that nobody defined. */
export function unknownId(noun: "toolset" | "skill", id: string, known: readonly string[]): ToolError {
	return new ToolError("tool_not_found", `No ${noun} is called ${id}; there is ${known.join(", ") || "none"}.`, {
		op: "resolve",
		details: { [`${noun}_id`]: id },
	});
}
