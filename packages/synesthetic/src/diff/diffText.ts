import { isEqualJson } from "../json/jsonEqual.ts";
import { compareByCodePoint } from "../json/jsonValue.ts";
import { parseJson, parseSpelt } from "../json/parseJson.ts";
import { writePointerStep } from "../json/pointer.ts";
import { compactJson, stringifyJson } from "../json/stringifyJson.ts";
import { memberName, type TextModule, textModule } from "../text/textModule.ts";

// The layout of the operations that `assembly/compare.ts` writes, in words of four bytes.
const OPS = ["remove", "add", "replace"] as const;
const OP_MASK = 3;
const IF_DIFFERENT = 4;
const REWRITTEN = 8;
const OPERATION_WORDS = 4;
const ROOT = 0;
const BASE = memberName("base");
const NEW = memberName("new");

export type DiffOptions = {
	/** Whether to parse values that may differ only in spelling. If not, they make the result undefined. */
	readonly parsing: boolean;
	/** The longest result allowed, in bytes or characters. */
	readonly longest: number;
};

/**
 * Computes the patch of `diffDocuments` from JSON text: from the member `base` to the member `new` of an object.
 * Returns a tool's result as JSON; a buffer is valid until the next text is read. Undefined if more parsing would be
 * needed, or the result is too long.
 */
export function diffText(bytes: Buffer, from: number, to: number, options: DiffOptions): string | Buffer | undefined {
	const module = textModule();
	if (module === undefined || !module.read(bytes, from, to)) return undefined;
	const base = module.member(BASE);
	const next = module.member(NEW);
	const count = base === 0 || next === 0 ? -1 : module.compare(base, next);
	if (count < 0) return undefined;
	const composed = module.compose(count);
	if (composed !== undefined) return composed.length > options.longest ? undefined : composed;
	if (!options.parsing && asksForParser(module, count)) return undefined;
	const operations = operationsOf(module, count, options.longest);
	return operations && `{"ok":true,"patch":[${operations.join(",")}]}`;
}

function asksForParser({ words, operationsAt }: TextModule, count: number): boolean {
	for (let i = 0; i < count; i += 1)
		if (((words[operationsAt + i * OPERATION_WORDS] ?? 0) & (IF_DIFFERENT | REWRITTEN)) !== 0) return true;
	return false;
}

type Operation = { readonly path: string; readonly text: string };

function operationsOf(module: TextModule, count: number, longest: number): string[] | undefined {
	const paths = new Map([[ROOT, ""]]);
	const operations: Operation[] = [];
	const first = module.operationsAt;
	let length = 0;
	for (let i = 0; i < count; i += 1) {
		const operation = operationAt(module, first + i * OPERATION_WORDS, paths);
		if (operation === undefined) continue;
		length += operation.text.length;
		if (length > longest) return undefined;
		operations.push(operation);
	}
	return operations.sort((a, b) => compareByCodePoint(a.path, b.path)).map(({ text }) => text);
}

// Reads word by word: destructuring a part of an array takes longer, and much longer to compile.
function operationAt(module: TextModule, at: number, paths: Map<number, string>): Operation | undefined {
	const { words } = module;
	const action = words[at] ?? 0;
	const base = words[at + 2] ?? 0;
	const next = words[at + 3] ?? 0;
	if ((action & IF_DIFFERENT) !== 0 && isSame(module.sourceOf(base), module.sourceOf(next))) return undefined;
	const path = pathOf(module, words[at + 1] ?? ROOT, paths);
	const value = next === 0 ? "" : `,"value":${valueText(module, next, action)}`;
	// The path needs no JSON escapes, because the names in it contain none.
	return { path, text: `{"op":"${OPS[action & OP_MASK]}","path":"${path}"${value}}` };
}

function isSame(one: string, other: string): boolean {
	return isEqualJson(parseJson(one), parseJson(other));
}

/** The JSON Pointer up to a step, built from the steps before it. */
function pathOf(module: TextModule, step: number, paths: Map<number, string>): string {
	const known = paths.get(step);
	if (known !== undefined) return known;
	const { words } = module;
	const name = module.sourceOf(words[step / 4 + 1] ?? 0).slice(1, -1);
	const path = pathOf(module, words[step / 4] ?? ROOT, paths) + writePointerStep(name);
	paths.set(step, path);
	return path;
}

function valueText(module: TextModule, value: number, action: number): string {
	const text = module.sourceOf(value);
	if ((action & REWRITTEN) !== 0) return stringifyJson(parseSpelt(text));
	return module.spaced ? compactJson(text) : text;
}
