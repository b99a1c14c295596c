import { compactJson } from "../json/compactJson.ts";
import { jsonEqual } from "../json/jsonEqual.ts";
import { byCodePoint } from "../json/order.ts";
import { parseJson, parseSpelt } from "../json/parseJson.ts";
import { pointerStep } from "../json/pointer.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import { type DiffModule, diffModule } from "./diffModule.ts";

// What `assembly/compare.ts` writes: what is done, and in what case or form.
const OPS = ["remove", "add", "replace"] as const;
const OP_MASK = 3;
const IF_DIFFERENT = 4;
const REWRITTEN = 8;

/** Four bytes each. */
const OPERATION_WORDS = 4;
const ROOT = 0;

/**
 * What `diffDocuments` finds between the members `base` and `new` of an object, as JSON text made of parts of theirs:
 * nothing is parsed but what differs in its spelling alone. Undefined where only parsing can tell.
 */
export function diffText(bytes: Buffer, from: number, to: number): string | undefined {
	const module = diffModule();
	if (module === undefined || to - from > module.exports.mostBytes()) return undefined;
	bytes.copy(module.bytes, module.exports.textAt(), from, to);
	const count = module.exports.diff(to - from);
	if (count < 0) return undefined;
	return `[${operationsOf(module, count).join(",")}]`;
}

function operationsOf(module: DiffModule, count: number): string[] {
	const { words, exports } = module;
	const compact = exports.spaced() !== 0;
	const first = exports.operationsAt() / 4;
	const paths = new Map([[ROOT, ""]]);
	const operations: { path: string; text: string }[] = [];
	for (let at = first; at < first + count * OPERATION_WORDS; at += OPERATION_WORDS) {
		const [action = 0, step = 0, base = 0, next = 0] = words.subarray(at, at + OPERATION_WORDS);
		const text = next === 0 ? "" : sourceOf(module, next);
		if ((action & IF_DIFFERENT) !== 0 && jsonEqual(parseJson(sourceOf(module, base)), parseJson(text))) continue;
		const path = pathOf(module, step, paths);
		const head = `{"op":"${OPS[action & OP_MASK]}","path":${JSON.stringify(path)}`;
		if (next === 0) operations.push({ path, text: `${head}}` });
		else {
			const value = (action & REWRITTEN) !== 0 ? stringifyJson(parseSpelt(text)) : compact ? compactJson(text) : text;
			operations.push({ path, text: `${head},"value":${value}}` });
		}
	}
	return operations.sort((a, b) => byCodePoint(a.path, b.path)).map(({ text }) => text);
}

/** The pointer that a step ends, by way of the steps before it. */
function pathOf(module: DiffModule, step: number, paths: Map<number, string>): string {
	const known = paths.get(step);
	if (known !== undefined) return known;
	const [before = ROOT, name = 0] = module.words.subarray(step / 4, step / 4 + 2);
	const source = sourceOf(module, name);
	const path = pathOf(module, before, paths) + pointerStep(source.slice(1, -1));
	paths.set(step, path);
	return path;
}

function sourceOf({ words, bytes, exports }: DiffModule, value: number): string {
	const text = exports.textAt();
	return bytes.toString("utf8", text + (words[value / 4] ?? 0), text + (words[value / 4 + 1] ?? 0));
}
