import { countText, isPointer, resolvePointer } from "libmcp";
import { cut } from "../catalog/text.ts";
import { ToolError } from "../contract/errors.ts";
import { isObject, type JsonObject, shown, shownWithKind } from "../contract/json.ts";

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
	if (found !== undefined) return found;
	const slashed = withSlashes(pointer);
	throw unresolved(
		reference,
		slashed === pointer
			? `a place where something is: ${describeNearest(scope, pointer)}`
			: `slashes between the names: ${resolvePointer(scope, slashed) === undefined ? describeNearest(scope, slashed) : slashed.slice(1)}`,
	);
}

/** Turns a path written as in a program (`steps[0].structured`, `$.previous.id`) into a pointer; leaves any other as it is. */
function withSlashes(pointer: string): string {
	if (!/^\/(?:\$\.)?(?:steps|previous|item)[.[]/.test(pointer)) return pointer;
	return pointer.replace("/$.", "/").replaceAll("]", "").replaceAll(/[.[]/g, "/");
}

/** Describes the deepest existing place along the pointer and its contents. */
function describeNearest(scope: Scope, pointer: string): string {
	const at = pointer.slice(0, pointer.lastIndexOf("/"));
	const held = resolvePointer(scope, at);
	if (held === undefined) return describeNearest(scope, at);
	return `${at.slice(1) || "a reference"} has ${contentsOf(held)}`;
}

function contentsOf(held: unknown): string {
	if (Array.isArray(held)) return countText(held.length, "item");
	if (!isObject(held)) return shownWithKind(held);
	return cut(Object.keys(held).join(", "), MAX_NAMES_CHARS) || "nothing";
}

const MAX_NAMES_CHARS = 200;

function unresolved(reference: unknown, expected: string): ToolError {
	return new ToolError("validation_input", `$from: expected ${expected}, got ${shown(reference)}`, {
		op: "validate_input",
		details: { reference },
	});
}
