import { isObject } from "../contract/json.ts";
import type { CodeErrorPlace } from "./codeError.ts";
import { parseBounded } from "./guestMessage.ts";
import { type Insertion, placeInStack } from "./stackPlace.ts";

/** An error thrown by the code, or its syntax error, safe to show. */
export type Thrown = { readonly name: string; readonly message: string; readonly place: CodeErrorPlace };

const MAX_TEXT = 2_000;
const MAX_NAME = 100;
const MAX_DEPTH = 4;

/** Reads an error reported by the guest, which may send anything. */
export function thrownOf(text: string, insertions: readonly Insertion[]): Thrown {
	const value = parseBounded(text, Number.POSITIVE_INFINITY, MAX_DEPTH)?.value;
	if (!isObject(value)) return { name: "Error", message: "the code threw something that cannot be shown", place: {} };
	const { name, message, line, column, stack, tool_id } = value;
	// Syntax errors name their place; for thrown errors it is read from the stack.
	const told = { ...(typeof line === "number" && { line }), ...(typeof column === "number" && { column }) };
	return {
		name: typeof name === "string" ? name.slice(0, MAX_NAME) : "Error",
		message: typeof message === "string" ? message.slice(0, MAX_TEXT) : "",
		place: {
			...("line" in told ? told : placeInStack(stack, insertions)),
			...(typeof tool_id === "string" && { tool_id: tool_id.slice(0, MAX_NAME) }),
		},
	};
}

/** Tells whether the code ran out of memory or stack; engines report this only in the text of the error. */
export function exhausted(name: string, message: string): "memory" | "stack" | undefined {
	if (name !== "InternalError" && name !== "RangeError") return undefined;
	if (/out of memory/i.test(message)) return "memory";
	return /stack (overflow|size exceeded)/i.test(message) ? "stack" : undefined;
}
