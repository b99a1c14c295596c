import { MAX_DEPTH, parseStrictJson } from "libmcp";
import { parseExact } from "metatools";
import { ApiError } from "./apiError.ts";

/** Reads a request's body by the rules of MCP messages: nothing is run that another reader would take for something else. */
export function bodyJson(bytes: Buffer): unknown {
	const read = parseStrictJson(bytes, parseExact);
	if (read.ok) return read.value;
	switch (read.reason) {
		case "not_utf8":
			throw refusal("JSON, got bytes that are not UTF-8");
		case "not_json":
			throw refusal(jsonProblem(bytes.toString("utf8")));
		case "too_deep":
			throw refusal(LESS_DEEP);
		case "duplicate_member":
			throw refusal(`each member once, but ${read.detail}`);
	}
}

const LESS_DEEP = `at most ${MAX_DEPTH} levels of nesting; send such data as text`;

function refusal(expected: string): ApiError {
	return new ApiError("invalid_request", `body: expected ${expected}`);
}

function jsonProblem(text: string): string {
	if (text.startsWith("\ufeff")) return "JSON, got a text that begins with a byte order mark";
	if (text.trim() === "") return "JSON, got nothing";
	try {
		JSON.parse(text);
	} catch (error) {
		return `JSON, got text that is not (${error instanceof Error ? error.message : String(error)})`;
	}
	// Only reading its numbers exactly fails then, for want of a stack.
	return LESS_DEEP;
}
