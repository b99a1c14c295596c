import { countText, isPointer, resolvePointer } from "libmcp";
import { cutText } from "../catalog/text.ts";
import { ToolError } from "../contract/errors.ts";
import { isObject, type JsonObject, showValue, showWithKind } from "../contract/json.ts";

const MAX_DEPTH = 64;

/** What `{"$from": …}` may point into: earlier steps, the previous value, and in a mapped step its item and index. */
export type Scope = {
	readonly steps: readonly unknown[] | JsonObject;
	readonly previous?: unknown;
	readonly item?: unknown;
	readonly index?: unknown;
};

/** Stands in a scope for a value that is not there before its step has run; a reference may point anywhere into it. */
export const LATER = Symbol("later");

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

/** Every reference in a value, with its place. */
export function* findReferences(
	value: unknown,
	at: readonly string[] = [],
): Generator<{ readonly at: readonly string[]; readonly reference: unknown }> {
	if (at.length > MAX_DEPTH || !(Array.isArray(value) || isObject(value))) return;
	const entries = Object.entries(value);
	const only = entries.length === 1 && isObject(value) ? entries[0] : undefined;
	if (only?.[0] === "$literal") return;
	if (only?.[0] === "$from") yield { at: [...at, "$from"], reference: only[1] };
	else for (const [key, inner] of entries) yield* findReferences(inner, [...at, key]);
}

/** A step's arguments as they will be, if they refer to nothing. */
export function readConstantArgs(args: JsonObject = {}): JsonObject | undefined {
	if (findReferences(args).next().done !== true) return undefined;
	const constant = resolveReferences(args, { steps: {} });
	return isObject(constant) ? constant : undefined;
}

/** What a reference should be instead, if it leads to nothing in this scope. */
export function describeExpectation(reference: unknown, scope: Scope): string | undefined {
	const found = find(reference, scope);
	return "expected" in found ? found.expected : undefined;
}

function lookUp(reference: unknown, scope: Scope): unknown {
	const found = find(reference, scope);
	if ("value" in found) return found.value;
	throw new ToolError("validation_input", `$from: expected ${found.expected}, got ${showValue(reference)}`, {
		op: "validate_input",
		details: { reference },
	});
}

function find(reference: unknown, scope: Scope): { readonly value: unknown } | { readonly expected: string } {
	const pointer = typeof reference !== "string" || reference.startsWith("/") ? reference : `/${reference}`;
	if (!isPointer(pointer)) return { expected: "a JSON Pointer such as steps/0/structured/id" };
	const value = valueAt(scope, pointer);
	if (value !== undefined) return { value };
	const slashed = withSlashes(pointer);
	if (slashed === pointer) return { expected: `a place where something is: ${describeNearest(scope, pointer)}` };
	const meant = valueAt(scope, slashed) === undefined ? describeNearest(scope, slashed) : slashed.slice(1);
	return { expected: `slashes between the names: ${meant}` };
}

function valueAt(scope: Scope, pointer: string): unknown {
	const value = resolvePointer(scope, pointer);
	if (value !== undefined || pointer === "") return value;
	return valueAt(scope, pointer.slice(0, pointer.lastIndexOf("/"))) === LATER ? LATER : undefined;
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
	if (!isObject(held)) return showWithKind(held);
	return cutText(Object.keys(held).join(", "), MAX_NAMES_CHARS) || "nothing";
}

const MAX_NAMES_CHARS = 200;
