import type { InnerSymbol } from "../chunk.ts";
import type { LineIndex } from "../lineIndex.ts";
import type { GrammarSpec } from "../specs/spec.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { lookUpOwn, readNodeText } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { calleeText } from "./names.ts";
import { symbolArguments } from "./readCall.ts";

/** `:name`, `"name"` or `'name'`. */
const SYMBOL = /^[:"'](.+?)["']?$/s;
const NONE: readonly InnerSymbol[] = [];

/** The symbols that a call defines: `name` and `age` of `attr_reader :name, :age`. */
export function calledSymbols(
	tree: FlatTree,
	compiled: CompiledSpec,
	lines: LineIndex,
	node: number,
): readonly InnerSymbol[] {
	const { symbolCalls: rule, macroItems } = compiled.spec;
	if (macroItems) return itemsIn(tree, compiled, lines, node, macroItems);
	if (!rule) return NONE;
	const callee = calleeText(tree, compiled, node);
	const kind = lookUpOwn(rule.kinds, callee);
	if (!kind) return NONE;
	const named = symbolArguments(tree, compiled, node, rule.symbol);
	return (rule.first.includes(callee) ? named.slice(0, 1) : named).flatMap((at) => {
		const name = SYMBOL.exec(readNodeText(tree, at))?.[1];
		return name === undefined ? [] : [{ kind, name, line: lines.lineAt(tree.start[at] ?? 0) }];
	});
}

function itemsIn(
	tree: FlatTree,
	{ grammar }: CompiledSpec,
	lines: LineIndex,
	node: number,
	{ call, items, kinds }: NonNullable<GrammarSpec["macroItems"]>,
): readonly InnerSymbol[] {
	if (grammar.types[tree.type[node] ?? 0] !== call) return NONE;
	const start = tree.start[node] ?? 0;
	return [...readNodeText(tree, node).matchAll(items)].flatMap(({ 0: whole, 1: word = "", 2: name = "", index }) => {
		const kind = lookUpOwn(kinds, word);
		return kind ? [{ kind, name, line: lines.lineAt(start + index + whole.length) }] : [];
	});
}
