import type { ChunkKind } from "./chunk.ts";
import { beginsWith, type CompiledRule, type CompiledSpec, ROLE } from "./compileSpec.ts";
import { MAX_NAME } from "./factSink.ts";
import type { FlatTree } from "./flatTree.ts";
import { isPlainChain, lastName, own, squeeze, textOf, unquote } from "./nodeText.ts";
import { findChild } from "./pick.ts";
import { nameOf } from "./readFact.ts";

/** A node that declares something, before it is decided whether it becomes a chunk. */
export type Found = {
	readonly node: number;
	readonly kind: ChunkKind;
	readonly name: string;
	/** Names in front of its own that the source itself writes: `Foo` of `Foo::bar`, a Go receiver. */
	readonly owner: string;
	readonly nameNode: number;
	/** The node that has the parameters and the body: the definition, or the function that is its value. */
	readonly callable: number;
	readonly rule: CompiledRule | undefined;
	readonly container: boolean;
};

const CONTAINER_WORDS: ReadonlySet<string> = new Set(["defmodule", "defprotocol", "defimpl", "describe"]);
const FUNCTION_KINDS: ReadonlySet<ChunkKind> = new Set(["function", "method", "constructor", "macro", "test"]);

export function isFunctionLike(kind: ChunkKind): boolean {
	return FUNCTION_KINDS.has(kind);
}

/** `local`: inside a function, where a small definition without a function as its value is nobody's symbol. */
export function recogniseDefinition(
	tree: FlatTree,
	compiled: CompiledSpec,
	node: number,
	local: boolean,
): Found | undefined {
	const type = tree.type[node] ?? 0;
	const rule = compiled.rules.get(type);
	if (!rule) return undefined;
	if (rule.under && !rule.under.has(tree.type[tree.parent[node] ?? 0] ?? 0)) return undefined;
	if (rule.pickRequired && rule.pickRequired(tree, node) < 0) return undefined;
	const value = functionValue(tree, compiled, node, rule);
	if (!value && (rule.value?.kinds.only || (local && rule.small))) return undefined;
	const nameNode = nameNodeOf(tree, compiled, node, rule);
	const word = rule.words && Object.keys(rule.words).find((key) => beginsWith(tree, node, key));
	if (nameNode < 0 || (rule.words && word === undefined)) return undefined;
	const kind = value?.kind ?? own(rule.words, word ?? "") ?? kindOf(tree, compiled, node, rule);
	const full = rule.element ? elementName(textOf(tree, nameNode)) : nameText(tree, compiled, nameNode, rule);
	const dotted = kind !== "rule" && kind !== "test" && kind !== "element" && /[.:]/.test(full);
	const name = dotted ? lastName(full) || full : full;
	const phrase = kind === "rule" || kind === "test" || kind === "element";
	if (name === "" || (!phrase && /[{}\s,]/.test(name))) return undefined;
	const receiver = rule.pickReceiver?.(tree, node) ?? -1;
	return {
		node,
		kind: rule.constructorNames?.includes(name) ? "constructor" : kind,
		name,
		owner: receiver >= 0 ? receiverType(textOf(tree, receiver)) : ownerIn(full, name),
		nameNode,
		callable: value?.node ?? node,
		rule,
		container:
			(rule.container ?? false) || kind === "class" || (rule.words !== undefined && CONTAINER_WORDS.has(word ?? "")),
	};
}

/** `describe("title", () => …)`: a call of a known name with a title and a function. */
export function recogniseTest(tree: FlatTree, compiled: CompiledSpec, node: number): Found | undefined {
	const tests = compiled.spec.testCalls;
	const spans = compiled.spans.get(tree.type[node] ?? 0);
	if (!tests || !spans || compiled.grammar.types[tree.type[node] ?? 0] !== tests.call) return undefined;
	const callee = spans[0]?.(tree, node) ?? -1;
	if (callee < 0 || (tree.end[callee] ?? 0) - (tree.start[callee] ?? 0) > 40) return undefined;
	const called = textOf(tree, callee).split(/[.(]/, 1)[0] ?? "";
	const group = tests.groups.includes(called);
	if (!group && !tests.cases.includes(called)) return undefined;
	const last = tree.until[node] ?? 0;
	let title = -1;
	let body = -1;
	for (let at = callee + 1; at < last && body < 0; at += 1) {
		const type = tree.type[at] ?? 0;
		if (title < 0 && /string/.test(compiled.grammar.types[type] ?? "") && (compiled.grammar.named[type] ?? false))
			title = at;
		else if (title >= 0 && ((compiled.roles[type] ?? 0) & ROLE.lambda) !== 0) body = at;
	}
	if (title < 0 || body < 0) return undefined;
	const name = squeeze(unquote(textOf(tree, title)), MAX_NAME);
	if (name === "") return undefined;
	return { node, kind: "test", name, owner: "", nameNode: title, callable: body, rule: undefined, container: group };
}

/** A value that is a function or class, out of the list some grammars put it in. */
function functionValue(
	tree: FlatTree,
	compiled: CompiledSpec,
	node: number,
	rule: CompiledRule,
): { node: number; kind: ChunkKind } | undefined {
	let value = rule.value?.pick(tree, node) ?? -1;
	if (value < 0) return undefined;
	if (compiled.grammar.types[tree.type[value] ?? 0] === "expression_list") value += 1;
	const kind = own(rule.value?.kinds.kinds, compiled.grammar.types[tree.type[value] ?? 0] ?? "");
	return kind && { node: value, kind };
}

function kindOf(tree: FlatTree, compiled: CompiledSpec, node: number, rule: CompiledRule): ChunkKind {
	if (typeof rule.kind === "string") return rule.kind;
	const { byChild, otherwise } = rule.kind;
	// What the table names first says more: a constant that is a struct is a struct.
	for (const [wanted, kind] of Object.entries(byChild)) {
		const found = findChild(tree, node, (child) => {
			const type = tree.type[child] ?? 0;
			const name = compiled.grammar.types[type] ?? "";
			return wanted === (compiled.grammar.named[type] ? name : `'${name}'`);
		});
		if (found >= 0) return kind;
	}
	return otherwise;
}

/** Most grammars name the name; C hides it at the end of a chain of declarators. */
function nameNodeOf(tree: FlatTree, compiled: CompiledSpec, node: number, rule: CompiledRule): number {
	let name = rule.pickName(tree, node);
	if (!rule.descends) return name;
	for (let steps = 0; name >= 0 && steps < 32; steps += 1) {
		if (((compiled.roles[tree.type[name] ?? 0] ?? 0) & ROLE.identifier) !== 0) return name;
		const inner = rule.pickName(tree, name);
		if (inner < 0) return innermostWithoutField(tree, compiled, name);
		name = inner;
	}
	return -1;
}

/** References and parentheses hold their declarator without a field; other nodes here are the name itself. */
function innermostWithoutField(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	const type = compiled.grammar.types[tree.type[node] ?? 0] ?? "";
	if (!/^(?:reference|parenthesized|variadic|attributed)_declarator$/.test(type)) return node;
	const child = findChild(tree, node, (at) => compiled.grammar.named[tree.type[at] ?? 0] ?? false);
	if (child < 0) return -1;
	const deeper = findChild(tree, child, (at) => compiled.grammar.fields[tree.field[at] ?? 0] === "declarator");
	return deeper >= 0 ? deeper : child;
}

function nameText(tree: FlatTree, compiled: CompiledSpec, node: number, rule: CompiledRule): string {
	const written = nameOf(tree, compiled, node);
	if (written.length <= MAX_NAME && isPlainChain(written)) return written;
	const text = squeeze(unquote(written), MAX_NAME);
	if (rule.words) return /^[\w.]+[!?]?/.exec(text)?.[0] ?? text;
	if (rule.kind === "rule" || rule.kind === "test") return text;
	return /^(?:operator|~)/.test(text) ? text : text.replace(/<.*$/s, "").trim();
}

const LANDMARKS =
	/^(?:head|body|main|nav|header|footer|section|article|aside|form|table|script|style|template|dialog)$/;

/** `<div id="app">` → `div#app`; an element without an id counts only when its tag is a landmark. */
function elementName(startTag: string): string {
	const tag = /^<\s*([\w-]+)/.exec(startTag)?.[1]?.toLowerCase() ?? "";
	const id = /\sid\s*=\s*["']?([\w:.-]+)/i.exec(startTag)?.[1];
	return id !== undefined ? `${tag}#${id}` : LANDMARKS.test(tag) ? tag : "";
}

/** `(s *Stack[T])` → `Stack`. */
function receiverType(text: string): string {
	return lastName(text.replace(/\[.*$/s, "").replace(/[\s)]+$/, ""));
}

function ownerIn(full: string, name: string): string {
	const before = full.slice(0, full.length - name.length);
	return before
		.replace(/::|->|:/g, ".")
		.replace(/^(?:module\.)?exports\.|^this\.|^self\.|\.prototype(?=\.)|[.\s]+$|<[^>]*>/g, "")
		.replace(/\.+$/, "");
}
