import { isObject, ToolError } from "metatools";
import { ApiError } from "./apiError.ts";

/** Unwraps the code server's own error, which arrives as JSON in the message. */
export function codeToolError(thrown: unknown): unknown {
	if (!(thrown instanceof ToolError) || !thrown.message.startsWith("{")) return thrown;
	try {
		const { error } = JSON.parse(thrown.message);
		const { code, message, ...parts } = thrown.object;
		if (!isObject(error)) return thrown;
		// What was asked for is at fault then, and asking again cannot help.
		if (error.code === "INVALID_REQUEST") return new ApiError("invalid_request", String(error.message), error);
		if (error.code === "NOT_FOUND") return new ApiError("not_found", String(error.message), error);
		return new ToolError(code, String(error.message), { ...parts, details: error });
	} catch {
		return thrown;
	}
}
