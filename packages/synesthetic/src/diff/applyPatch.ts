import { isEqualJson } from "../json/jsonEqual.ts";
import { isJsonArray, isJsonObject, type JsonValue, readMember } from "../json/jsonValue.ts";
import { findChild, splitPointer } from "../json/pointer.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import { MAX_ANSWER_LENGTH } from "../results.ts";
import { describeValue } from "../validate/describe.ts";

/** Why a patch does not apply. `index` is the operation that failed, -1 for the patch as a whole. */
export class PatchProblem extends Error {
	override readonly name = "PatchProblem";
	readonly index: number;

	constructor(index: number, message: string) {
		super(message);
		this.index = index;
	}
}

/**
 * Applies an RFC 6902 patch, all of it or nothing, and returns the new document. Changes neither of its arguments.
 *
 * @throws PatchProblem
 */
export function applyPatch(document: JsonValue, patch: JsonValue): JsonValue {
	if (!isJsonArray(patch))
		throw new PatchProblem(-1, `patch: expected an array of operations, got ${describeValue(patch)}`);
	const draft = new Draft(document);
	for (const [index, operation] of patch.entries()) {
		try {
			applyOperation(draft, operation);
		} catch (error) {
			if (error instanceof DraftProblem) throw new PatchProblem(index, error.message);
			throw error;
		}
	}
	return draft.root;
}

function applyOperation(draft: Draft, operation: JsonValue): void {
	if (!isJsonObject(operation)) throw new DraftProblem(`expected an operation, got ${describeValue(operation)}`);
	const path = tokensOf(operation, "path");
	const op = readMember(operation, "op");
	switch (op) {
		case "add":
			draft.add(path, operandOf(operation));
			return;
		case "replace":
			draft.replace(path, operandOf(operation));
			return;
		case "remove":
			draft.remove(path);
			return;
		case "copy":
			draft.add(path, draft.share(tokensOf(operation, "from")));
			return;
		case "move":
			move(draft, tokensOf(operation, "from"), path);
			return;
		case "test":
			if (!isEqualJson(draft.at(path), operandOf(operation)))
				throw new DraftProblem("test: the value there is another");
			return;
		default:
			throw new DraftProblem(`op: expected add, remove, replace, move, copy or test, got ${came(op)}`);
	}
}

function move(draft: Draft, from: readonly string[], path: readonly string[]): void {
	if (path.length > from.length && from.every((token, i) => token === path[i]))
		throw new DraftProblem("from: a value cannot move into itself");
	const value = draft.at(from, "from");
	draft.remove(from);
	draft.add(path, value);
}

function tokensOf(operation: JsonValue, name: "path" | "from"): string[] {
	const pointer = readMember(operation, name);
	const tokens = typeof pointer === "string" ? splitPointer(pointer) : undefined;
	if (tokens === undefined) throw new DraftProblem(`${name}: expected a JSON Pointer, got ${came(pointer)}`);
	return tokens;
}

function operandOf(operation: JsonValue): JsonValue {
	const value = readMember(operation, "value");
	if (value === undefined) throw new DraftProblem("value: expected a value, got nothing");
	return value;
}

function came(value: JsonValue | undefined): string {
	return value === undefined ? "nothing" : describeValue(value);
}

/** Thrown for an edit that the document does not allow. */
class DraftProblem extends Error {
	override readonly name = "DraftProblem";
}

type OwnContainer = JsonValue[] | Record<string, JsonValue>;

/** A document being edited. The original is never changed: each container is copied once, before its first change. */
class Draft {
	#root: JsonValue;
	/** Containers created here and referenced from one place only, so that they can be changed in place. */
	readonly #own = new Set<unknown>();
	#shared = 0;

	constructor(document: JsonValue) {
		this.#root = document;
	}

	get root(): JsonValue {
		return this.#root;
	}

	/** The value at a path; `field` is what the operation calls it. */
	at(path: readonly string[], field: "path" | "from" = "path"): JsonValue {
		let value = this.#root;
		for (const token of path) value = childOf(value, token, field);
		return value;
	}

	/** Returns the value at a path, to be put in a second place. */
	share(path: readonly string[]): JsonValue {
		const value = this.at(path, "from");
		// Copies of copies double in size: a few operations could exceed any memory.
		this.#shared += stringifyJson(value).length;
		if (this.#shared > MAX_ANSWER_LENGTH)
			throw new DraftProblem(`from: more than ${MAX_ANSWER_LENGTH} characters are copied`);
		this.#disown(value);
		return value;
	}

	add(path: readonly string[], value: JsonValue): void {
		this.#edit(path, value, (container, token) => {
			if (!isArray(container)) define(container, token, value);
			else container.splice(token === "-" ? container.length : indexIn(token, container.length), 0, value);
		});
	}

	replace(path: readonly string[], value: JsonValue): void {
		this.#edit(path, value, (container, token) => put(container, token, value));
	}

	/** Removing the root leaves null, as there is no smaller document. */
	remove(path: readonly string[]): void {
		this.#edit(path, null, (container, token) => {
			if (isArray(container)) container.splice(indexIn(token, container.length - 1), 1);
			else if (Object.hasOwn(container, token)) delete container[token];
			else missing(token);
		});
	}

	#edit(path: readonly string[], root: JsonValue, change: (container: OwnContainer, token: string) => void): void {
		const last = path.at(-1);
		if (last === undefined) {
			this.#root = root;
			return;
		}
		let container = this.#owned(this.#root, last);
		this.#root = container;
		for (const [i, token] of path.slice(0, -1).entries()) {
			const child = this.#owned(childOf(container, token), path[i + 1] ?? last);
			put(container, token, child);
			container = child;
		}
		change(container, last);
	}

	#owned(value: JsonValue, token: string): OwnContainer {
		if (this.#own.has(value)) return value as OwnContainer;
		if (!isJsonArray(value) && !isJsonObject(value))
			throw new DraftProblem(`path: ${describeValue(token)} is looked for in a scalar`);
		const copy = isJsonArray(value) ? [...value] : ({ ...value } as Record<string, JsonValue>);
		this.#own.add(copy);
		return copy;
	}

	// Skips containers that are not owned: they contain no owned ones.
	#disown(value: JsonValue): void {
		const pending = [value];
		for (let one = pending.pop(); one !== undefined; one = pending.pop())
			if (this.#own.delete(one)) for (const inner of Object.values(one as OwnContainer)) pending.push(inner);
	}
}

function isArray(container: OwnContainer): container is JsonValue[] {
	return Array.isArray(container);
}

/** Replaces the value that is there. */
function put(container: OwnContainer, token: string, value: JsonValue): void {
	if (isArray(container)) container[indexIn(token, container.length - 1)] = value;
	else if (Object.hasOwn(container, token)) define(container, token, value);
	else missing(token);
}

function indexIn(token: string, most: number): number {
	const index = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
	return index <= most ? index : missing(token);
}

// Assigning to `__proto__` would change the prototype instead of adding a member.
function define(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
	if (key === "__proto__")
		Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
	else object[key] = value;
}

// Null is a value; only an absent member is missing.
function childOf(container: JsonValue, token: string, field?: "path" | "from"): JsonValue {
	const child = findChild(container, token);
	return child === undefined ? missing(token, field) : child;
}

function missing(token: string, field: "path" | "from" = "path"): never {
	throw new DraftProblem(`${field}: there is no ${describeValue(token)}`);
}
