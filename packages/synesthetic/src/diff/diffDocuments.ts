import { isEqualJson } from "../json/jsonEqual.ts";
import { compareByCodePoint, isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue.ts";
import { writePointerStep } from "../json/pointer.ts";
import { AnswerSize, MAX_ANSWER_LENGTH } from "../results.ts";

/** One operation of RFC 6902, as `diff_assets` uses them. */
export type PatchOperation =
	| { readonly op: "add" | "replace"; readonly path: string; readonly value: JsonValue }
	| { readonly op: "remove"; readonly path: string };

/** Thrown when the patch would be larger than an answer may be. */
export class PatchTooLarge extends Error {
	override readonly name = "PatchTooLarge";
}

/**
 * The RFC 6902 patch from base to next. Objects are compared member by member; arrays and scalars are replaced
 * whole. No operation touches another's path, so sorting by path keeps the patch applicable.
 *
 * @throws PatchTooLarge
 */
export function diffDocuments(base: JsonValue, next: JsonValue): PatchOperation[] {
	const operations: PatchOperation[] = [];
	const pending: ObjectPair[] = [];
	const size = new AnswerSize();
	const note = (operation: PatchOperation): void => {
		if (!size.fits(operation.path)) throw new PatchTooLarge(`more than ${MAX_ANSWER_LENGTH} characters of paths`);
		operations.push(operation);
	};
	// Builds paths only for differences, since most members of two versions are equal.
	const compare = (from: JsonValue, to: JsonValue, parent: string, key?: string): void => {
		if (from === to) return;
		if (isJsonObject(from) && isJsonObject(to)) pending.push({ from, to, path: pathOf(parent, key) });
		else if (!isEqualJson(from, to)) note({ op: "replace", path: pathOf(parent, key), value: to });
	};
	compare(base, next, "");
	for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
		const { from, to, path } = pair;
		for (const key of Object.keys(from)) {
			if (Object.hasOwn(to, key)) compare(from[key] ?? null, to[key] ?? null, path, key);
			else note({ op: "remove", path: pathOf(path, key) });
		}
		for (const key of Object.keys(to)) {
			if (!Object.hasOwn(from, key)) note({ op: "add", path: pathOf(path, key), value: to[key] ?? null });
		}
	}
	return operations.sort(byPathThenOperation);
}

type ObjectPair = { readonly from: JsonObject; readonly to: JsonObject; readonly path: string };

function pathOf(parent: string, key: string | undefined): string {
	return key === undefined ? parent : parent + writePointerStep(key);
}

const RANK = { remove: 0, add: 1, replace: 2 } as const;

function byPathThenOperation(a: PatchOperation, b: PatchOperation): number {
	return compareByCodePoint(a.path, b.path) || RANK[a.op] - RANK[b.op];
}
