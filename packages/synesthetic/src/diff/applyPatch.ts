import { jsonEqual } from "../json/jsonEqual.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import { childAt, pointerTokens } from "../json/pointer.ts";

/** Why a patch does not apply, and which operation of it. */
export class PatchProblem extends Error {
	override readonly name = "PatchProblem";
	readonly index: number;

	constructor(index: number, message: string) {
		super(message);
		this.index = index;
	}
}

/** RFC 6902, all six operations, all or nothing: neither document nor patch is changed. */
export function applyPatch(document: JsonValue, patch: JsonValue): JsonValue {
	if (!isJsonArray(patch)) throw new PatchProblem(-1, "patch: expected an array of operations");
	let result = document;
	for (const [index, operation] of patch.entries()) {
		try {
			result = applyOperation(result, operation);
		} catch (error) {
			if (error instanceof TypeError) throw new PatchProblem(index, error.message);
			throw error;
		}
	}
	return result;
}

function applyOperation(document: JsonValue, operation: JsonValue): JsonValue {
	const path = tokensOf(operation, "path");
	switch (member(operation, "op")) {
		case "add":
			return edit(document, path, () => operandOf(operation), "add");
		case "replace":
			return edit(document, path, () => operandOf(operation), "replace");
		case "remove":
			return edit(document, path, () => undefined, "remove");
		case "copy":
			return edit(document, path, () => at(document, tokensOf(operation, "from")), "add");
		case "move":
			return move(document, tokensOf(operation, "from"), path);
		case "test":
			if (!jsonEqual(at(document, path), operandOf(operation))) throw new TypeError("test: the value there is another");
			return document;
		default:
			throw new TypeError("op: expected add, remove, replace, move, copy or test");
	}
}

function move(document: JsonValue, from: readonly string[], path: readonly string[]): JsonValue {
	if (path.length > from.length && from.every((token, i) => token === path[i]))
		throw new TypeError("from: a value cannot move into itself");
	const value = at(document, from);
	return edit(
		edit(document, from, () => undefined, "remove"),
		path,
		() => value,
		"add",
	);
}

type Mode = "add" | "replace" | "remove";

// Copies only the containers on the way down; removing the root leaves null, as there is no smaller document.
function edit(document: JsonValue, path: readonly string[], make: () => JsonValue | undefined, mode: Mode): JsonValue {
	const trail: { container: JsonValue; token: string }[] = [];
	let container = document;
	for (const [depth, token] of path.entries()) {
		trail.push({ container, token });
		if (depth < path.length - 1) container = childOf(container, token);
	}
	let value = make();
	for (let i = trail.length - 1; i >= 0; i -= 1) {
		const step = trail[i];
		if (step !== undefined)
			value = replaceChild(step.container, step.token, value, i === trail.length - 1 ? mode : "replace");
	}
	return value ?? null;
}

function replaceChild(container: JsonValue, token: string, value: JsonValue | undefined, mode: Mode): JsonValue {
	if (isJsonArray(container)) return replaceItem(container, token, value, mode);
	if (!isJsonObject(container)) throw new TypeError(`path: ${JSON.stringify(token)} is looked for in a scalar`);
	if (mode !== "add" && !Object.hasOwn(container, token)) missing(token);
	const entries = Object.entries(container).filter(([key]) => key !== token || mode === "replace");
	if (mode === "replace" && value !== undefined)
		return fromEntries(entries.map(([key, old]) => [key, key === token ? value : old]));
	return fromEntries(value === undefined ? entries : [...entries, [token, value]]);
}

function replaceItem(items: readonly JsonValue[], token: string, value: JsonValue | undefined, mode: Mode): JsonValue {
	const index =
		mode === "add" && token === "-" ? items.length : /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
	if (!(index < items.length || (mode === "add" && index === items.length))) missing(token);
	const inserted = value === undefined ? [] : [value];
	return items.toSpliced(index, mode === "add" ? 0 : 1, ...inserted);
}

// `Object.fromEntries` defines members, so a key named __proto__ is data like any other.
function fromEntries(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
	return Object.fromEntries(entries);
}

function at(document: JsonValue, path: readonly string[]): JsonValue {
	let value = document;
	for (const token of path) value = childOf(value, token);
	return value;
}

// Null is a value like any other; only what is not there is missing.
function childOf(container: JsonValue, token: string): JsonValue {
	const child = childAt(container, token);
	return child === undefined ? missing(token) : child;
}

function missing(token: string): never {
	throw new TypeError(`path: there is no ${JSON.stringify(token)}`);
}

function tokensOf(operation: JsonValue, name: "path" | "from"): string[] {
	const pointer = member(operation, name);
	const tokens = typeof pointer === "string" ? pointerTokens(pointer) : undefined;
	if (tokens === undefined) throw new TypeError(`${name}: expected a JSON Pointer`);
	return tokens;
}

function operandOf(operation: JsonValue): JsonValue {
	const value = member(operation, "value");
	if (value === undefined) throw new TypeError("value: expected a value");
	return value;
}
