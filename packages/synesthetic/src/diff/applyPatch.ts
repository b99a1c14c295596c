import { isEqualJson } from "../json/jsonEqual.ts";
import { isJsonArray, isJsonObject, type JsonValue, readMember } from "../json/jsonValue.ts";
import { splitPointer } from "../json/pointer.ts";
import { describeValue } from "../validate/describe.ts";
import { Draft, DraftProblem } from "./draft.ts";

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
