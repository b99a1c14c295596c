import { isPointer, resolvePointer } from "libmcp";
import { ToolError } from "../contract/errors.ts";
import { isObject, type JsonObject, shown } from "../contract/json.ts";

const MAX_DEPTH = 64;

/** What `{"$from": …}` may point into: earlier steps, the previous value, and in a mapped step its item and index. */
export type Scope = {
	readonly steps: readonly unknown[] | JsonObject;
	readonly previous?: unknown;
	readonly item?: unknown;
	readonly index?: number;
};

/**
 * Replaces every `{"$from": "steps/0/structured/id"}` in a step's arguments by the value it points to.
 * `{"$literal": …}` stands for its content untouched, for tools that want a `$from` of their own.
 */
export function resolveReferences(value: unknown, scope: Scope, depth: number = 0): unknown {
	if (depth > MAX_DEPTH)
		throw new ToolError("validation_input", `args: expected at most ${MAX_DEPTH} levels of nesting`, {
			op: "validate_input",
		});
	if (Array.isArray(value)) return value.map((item) => resolveReferences(item, scope, depth + 1));
	if (!isObject(value)) return value;
	const keys = Object.keys(value);
	if (keys.length === 1 && keys[0] === "$literal") return value.$literal;
	if (keys.length === 1 && keys[0] === "$from") return lookUp(value.$from, scope);
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [key, resolveReferences(inner, scope, depth + 1)]),
	);
}

function lookUp(reference: unknown, scope: Scope): unknown {
	if (typeof reference !== "string") throw unresolved(reference, "a JSON Pointer such as steps/0/structured/id");
	const pointer = reference.startsWith("/") ? reference : `/${reference}`;
	if (!isPointer(pointer)) throw unresolved(reference, "a JSON Pointer such as steps/0/structured/id");
	const found = resolvePointer(scope, pointer);
	if (found === undefined) throw unresolved(reference, "a value at that place, of a step that already ran");
	return found;
}

function unresolved(reference: unknown, expected: string): ToolError {
	return new ToolError("validation_input", `$from: expected ${expected}, got ${shown(reference)}`, {
		op: "validate_input",
		details: { reference },
	});
}
