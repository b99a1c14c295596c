import type { InnerSymbol } from "../../chunk.ts";
import type { LineIndex } from "../../chunkLines.ts";
import type { Visibility } from "../../specs/rules.ts";
import type { GrammarSpec } from "../../specs/spec.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import { lookUpOwn, readNodeText } from "../../tree/nodeText.ts";
import { MAX_NAME } from "../facts/factSink.ts";
import { readCallee } from "../facts/names.ts";
import { listSymbolArguments } from "../facts/readCall.ts";
import { type CompiledSpec, LIST } from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";

/** `:name`, `"name"` or `'name'`. */
const SYMBOL = /^[:"'](.+?)["']?$/s;
const NONE: readonly InnerSymbol[] = [];

/** The symbols that a call defines: `name` and `age` of `attr_reader :name, :age`. */
export function listCalledSymbols(
	tree: FlatTree,
	compiled: CompiledSpec,
	lines: LineIndex,
	node: number,
): readonly InnerSymbol[] {
	const { symbolCalls: rule, macroItems } = compiled.spec;
	if (macroItems) return itemsIn(tree, compiled, lines, node, macroItems);
	if (!rule) return NONE;
	const callee = readCallee(tree, compiled, node);
	const kind = lookUpOwn(rule.kinds, callee);
	if (!kind) return NONE;
	const named = listSymbolArguments(tree, compiled, node, rule.symbol);
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

/** What `private :name, :other` makes of which methods; `undefined` if a call is none of these. */
export function readCalledVisibility(
	tree: FlatTree,
	compiled: CompiledSpec,
	call: number,
): { readonly visibility: Visibility; readonly names: readonly string[] } | undefined {
	const { symbolCalls, visibility: rule } = compiled.spec;
	const visibility = symbolCalls && lookUpOwn(rule?.keywords, readCallee(tree, compiled, call));
	if (!visibility) return undefined;
	const named = listSymbolArguments(tree, compiled, call, symbolCalls.symbol);
	return { visibility, names: named.map((at) => readNodeText(tree, at).slice(1)) };
}

/** The fields that an assignment in a constructor gives their object: `name` of `self.name = name`. */
export function listAssignedFields(
	tree: FlatTree,
	compiled: CompiledSpec,
	node: number,
): readonly { readonly name: string; readonly at: number }[] {
	const { assignedFields: form } = compiled.spec;
	const left = compiled.assignments.get(tree.type[node] ?? 0)?.pickLeft(tree, node) ?? -1;
	if (!form || left < 0) return [];
	const fields: { name: string; at: number }[] = [];
	const add = (at: number): false => {
		const short = (tree.end[at] ?? 0) - (tree.start[at] ?? 0) <= MAX_NAME;
		const name = short ? form.exec(readNodeText(tree, at))?.[1] : undefined;
		if (name !== undefined) fields.push({ name, at: tree.start[at] ?? 0 });
		return false;
	};
	if ((compiled.lists[tree.type[left] ?? 0] ?? 0) & LIST.targets) findChild(tree, left, add);
	else add(left);
	return fields;
}
