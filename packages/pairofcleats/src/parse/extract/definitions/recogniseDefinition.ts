import type { ChunkKind } from "../../chunk.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import {
	dropTypeArguments,
	findLastName,
	isPlainChain,
	lookUpOwn,
	readNodeText,
	shortenText,
	stripQuotes,
} from "../../tree/nodeText.ts";
import { MAX_NAME } from "../facts/factSink.ts";
import { isValueList, readCallee, readNodeName } from "../facts/names.ts";
import {
	type CompiledRule,
	type CompiledSpec,
	hasFirstWord,
	LIST,
	readRoles,
	readTypeName,
} from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";
import { ROLE } from "../spec/roles.ts";
import { findDeclaredName, readOperatorName } from "./declarators.ts";
import type { Found } from "./visibility.ts";

/**
 * The definition at a node, if any. `local`: inside a function, where a small definition is no symbol unless its value
 * is a function.
 */
export function recogniseDefinition(
	tree: FlatTree,
	compiled: CompiledSpec,
	node: number,
	local: boolean,
): Found | undefined {
	const rule = ruleOf(tree, compiled, node);
	if (!rule) return undefined;
	const value = functionValue(tree, compiled, node, rule);
	const listed = value || !rule.listed ? undefined : listedKind(tree, node, rule);
	if (!value && ((rule.value?.kinds.only && !listed) || (local && rule.small && !rule.member))) return undefined;
	const nameNode = nameNodeOf(tree, compiled, node, rule);
	const word = rule.words && Object.keys(rule.words).find((key) => hasFirstWord(tree, node, key));
	if (nameNode < 0 || (rule.words && word === undefined)) return undefined;
	// `settings["a"] = 1` changes what a name stands for, and names nothing.
	if (!value && isIndexed(tree, compiled, nameNode)) return undefined;
	// A pattern defines its parts.
	if ((compiled.lists[tree.type[nameNode] ?? 0] ?? 0) & LIST.names) return undefined;
	const title = rule.titled !== undefined && isQuoted(tree, nameNode) ? rule.titled : undefined;
	const told = toldKind(tree, rule, word, nameNode);
	const kind = title ?? value?.kind ?? listed ?? told ?? kindOf(tree, compiled, node, rule, nameNode);
	const full = fullName(tree, compiled, nameNode, rule);
	const phrase = kind === "rule" || kind === "test" || kind === "element" || isQuoted(tree, nameNode);
	const dotted = !phrase && !compiled.spec.wholeNames && !rule.whole && /[.:]/.test(full);
	const last = dotted ? lastPart(full) : full;
	// An impl may be for any type: `(&str, u16)`.
	const name = `${rule.prefix ?? ""}${kind === "impl" ? last.replace(/\s+/g, "") : last}`;
	if (name === "" || (!phrase && kind !== "impl" && /[{}\s,]/.test(name.replace(/^operator .*/, "")))) return undefined;
	if (rule.named && !rule.named.test(name)) return undefined;
	const test = compiled.spec.testMacros?.includes(name) ? macroTest(tree, compiled, node, nameNode) : undefined;
	if (test) return test;
	const labels = rule.labels === undefined ? [] : labelsOf(tree, compiled, node, rule.labels);
	return {
		node,
		kind: rule.constructorNames?.includes(name) ? "constructor" : kind,
		name: labels.at(-1) ?? name,
		owner: labels.length > 0 ? [name, ...labels.slice(0, -1)].join(".") : ownerOf(tree, node, rule, full, last),
		nameNode,
		callable: value?.node ?? node,
		rule: word !== undefined && rule.smallWords?.includes(word) ? { ...rule, small: true } : rule,
		container: rule.container === true || kind === "class" || rule.containerWords?.includes(word ?? "") === true,
	};
}

/** The names that a destructuring definition defines; empty for any other definition. */
export function listDefinedParts(tree: FlatTree, compiled: CompiledSpec, node: number): Found[] {
	const rule = ruleOf(tree, compiled, node);
	// A rule for functions only, such as the one for assignments, defines no parts of a pattern.
	if (!rule || typeof rule.kind !== "string" || rule.value?.kinds.only) return [];
	const pattern = rule.pickName(tree, node);
	if (pattern < 0 || ((compiled.lists[tree.type[pattern] ?? 0] ?? 0) & LIST.names) === 0) return [];
	const plain = { node, kind: rule.kind, owner: "", callable: node, rule, container: false };
	const parts: Found[] = [];
	const end = tree.until[pattern] ?? 0;
	for (let at = pattern + 1; at < end; ) {
		const role = readRoles(tree, compiled, at);
		// The key of a part, or its default value: neither is a defined name.
		const other = /^(?:key|right)$/.test(compiled.grammar.fields[tree.field[at] ?? 0] ?? "");
		const isName = rule.parts === undefined ? role & ROLE.identifier : readTypeName(tree, compiled, at) === rule.parts;
		const name = isName && !other ? readNodeText(tree, at) : "";
		if (name !== "" && name.length <= MAX_NAME) parts.push({ ...plain, name, nameNode: at });
		at = other || role & (ROLE.member | ROLE.index | ROLE.call) ? (tree.until[at] ?? end) : at + 1;
	}
	return parts;
}

/** The rule for the node's type, if its conditions hold. */
function ruleOf(tree: FlatTree, { rules }: CompiledSpec, node: number): CompiledRule | undefined {
	const rule = rules.get(tree.type[node] ?? 0);
	if (rule?.under && !rule.under.has(tree.type[tree.parent[node] ?? 0] ?? 0)) return undefined;
	if (rule?.before && !rule.before.has(tree.type[tree.until[node] ?? 0] ?? 0)) return undefined;
	if (!rule?.pickRequired && !rule?.pickWithin) return rule;
	if (rule.pickRequired && rule.pickRequired(tree, node) >= 0) return rule;
	const around = tree.parent[tree.parent[node] ?? 0] ?? 0;
	return rule.pickWithin && rule.pickWithin(tree, around) >= 0 ? rule : undefined;
}

/** The kind of a definition that is listed in the argument of another call, by that call's name. */
function listedKind(tree: FlatTree, node: number, { listed, pickName }: CompiledRule): ChunkKind | undefined {
	const list = tree.parent[tree.parent[node] ?? 0] ?? 0;
	const argument = tree.parent[list] ?? 0;
	const name = tree.type[argument] === tree.type[node] ? pickName(tree, argument) : -1;
	return name >= 0 && listed?.names.includes(readNodeText(tree, name)) ? listed.kind : undefined;
}

/** The function or class that is the value. Looks inside the list that some grammars wrap it in. */
function functionValue(
	tree: FlatTree,
	compiled: CompiledSpec,
	node: number,
	rule: CompiledRule,
): { node: number; kind: ChunkKind } | undefined {
	let value = rule.value?.pick(tree, node) ?? -1;
	if (value < 0) return undefined;
	if (isValueList(tree, compiled, value)) value += 1;
	if (rule.value?.kinds.through?.includes(readCallee(tree, compiled, value))) {
		const list = findChild(tree, value, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "arguments");
		value = list < 0 ? value : list + 1;
		while (value < (tree.until[list] ?? 0) && !compiled.grammar.named[tree.type[value] ?? 0]) value += 1;
	}
	const kind = lookUpOwn(rule.value?.kinds.kinds, readTypeName(tree, compiled, value));
	if (kind) return { node: value, kind };
	const made = rule.value?.kinds.calls && lookUpOwn(rule.value.kinds.calls, readCallee(tree, compiled, value));
	if (!made) return undefined;
	const block = findChild(tree, value, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "block");
	return { node: block < 0 ? node : block, kind: made };
}

/** The kind that a word tells: the one a definition begins with, or the one before its name. */
function toldKind(
	tree: FlatTree,
	{ words, wordBefore: byWordBefore }: CompiledRule,
	word: string | undefined,
	nameNode: number,
): ChunkKind | undefined {
	if (words) return lookUpOwn(words, word ?? "");
	return byWordBefore && lookUpOwn(byWordBefore, wordBefore(tree, nameNode));
}

function wordBefore({ text, start }: FlatTree, node: number): string {
	const end = start[node] ?? 0;
	return /(\w+)\s+$/.exec(text.slice(Math.max(0, end - 40), end))?.[1] ?? "";
}

function kindOf(tree: FlatTree, compiled: CompiledSpec, node: number, rule: CompiledRule, nameNode: number): ChunkKind {
	if (typeof rule.kind === "string") return rule.kind;
	const { byChild, otherwise } = rule.kind;
	// In C the innermost declarator decides: `int *f(void)` is a function, `int (*f)(void)` a variable.
	if (rule.descends) {
		const typeOf = (at: number): string => readTypeName(tree, compiled, at);
		return lookUpOwn(byChild, typeOf(nameNode)) ?? lookUpOwn(byChild, typeOf(tree.parent[nameNode] ?? 0)) ?? otherwise;
	}
	// Earlier entries of the table take precedence: a constant that is a struct is a struct.
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

/** Most grammars have a field for the name; in C it is at the end of a chain of declarators. */
function nameNodeOf(tree: FlatTree, compiled: CompiledSpec, node: number, rule: CompiledRule): number {
	const name = rule.pickName(tree, node);
	return rule.descends ? findDeclaredName(tree, compiled, name, rule) : name;
}

/** The name with all that is written before it: `Store::save`. */
function fullName(tree: FlatTree, compiled: CompiledSpec, nameNode: number, rule: CompiledRule): string {
	if (rule.landmarks) return elementName(readNodeText(tree, nameNode), rule.landmarks);
	const unnamed = compiled.grammar.named[tree.type[nameNode] ?? 0] ? undefined : rule.unnamed;
	return unnamed ?? nameText(tree, compiled, nameNode, rule);
}

/** Elixir's `def left <> right`. */
const DEFINED_OPERATOR = /^\w+ (and|or|in|[-+*/<>=!~&|^.@]{1,3}) \w/;
/** Haskell's `(<+>)`. */
const OPERATOR_NAME = /^\([^\w\s()"']+\)$/;

const LONGEST_OPERATOR = 8;

function nameText(tree: FlatTree, compiled: CompiledSpec, node: number, rule: CompiledRule): string {
	const start = tree.start[node] ?? 0;
	const whole = rule.asWritten?.exec(tree.text.slice(start, start + LONGEST_OPERATOR))?.[0];
	const written = whole ?? (rule.descends ? readOperatorName(tree, node) : readNodeName(tree, compiled, node));
	if (rule.titled !== undefined && isQuoted(tree, node)) return shortenText(written.slice(1), MAX_NAME);
	if (written.length <= MAX_NAME && isPlainChain(written)) return written;
	const text = shortenText(isQuoted(tree, node) ? stripQuotes(written) : written, MAX_NAME);
	if (rule.words && (isQuoted(tree, node) || compiled.spec.wholeNames)) return text;
	if (rule.words) return DEFINED_OPERATOR.exec(text)?.[1] ?? /^[\w.]+[!?]?/.exec(text)?.[0] ?? text;
	if (rule.kind === "rule" || rule.kind === "test") return text;
	if (OPERATOR_NAME.test(text)) return text;
	if (rule.tailRepeats && /^[^\w\s()"']+$/.test(text)) return `(${text})`;
	const operator = /\boperator\b\s*(?:\(\)|[^(]+)/.exec(text);
	if (!operator) return dropTypeArguments(text) || text;
	return dropTypeArguments(text.slice(0, operator.index)) + operator[0].trim();
}

/** Whether a target is `a[0]` or begins with it; Lua wraps a target in a list. */
function isIndexed(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const inner = node + 1 < (tree.until[node] ?? 0) ? readRoles(tree, compiled, node + 1) : 0;
	return ((readRoles(tree, compiled, node) | inner) & ROLE.index) !== 0;
}

function isQuoted(tree: FlatTree, nameNode: number): boolean {
	return /["'`]/.test(tree.text[tree.start[nameNode] ?? 0] ?? "");
}

/** `save` of `Store::save`. Operators and destructors keep their punctuation. */
function lastPart(full: string): string {
	return /(?:operator\W.*|~\w+)$/.exec(full)?.[0] ?? (findLastName(full) || full);
}

/** `TEST(Suite, works)` → `Suite.works`. */
function macroTest(tree: FlatTree, compiled: CompiledSpec, node: number, nameNode: number): Found | undefined {
	const list = compiled.pickParameters(tree, tree.parent[nameNode] ?? 0);
	if (list < 0) return undefined;
	const name = shortenText(readNodeText(tree, list).replace(/^\(|\)$/g, ""), MAX_NAME).replace(/\s*,\s*/g, ".");
	const rule = compiled.rules.get(tree.type[node] ?? 0);
	return { node, kind: "test", name, owner: "", nameNode, callable: node, rule, container: false };
}

/** Whether a definition may be exported by its name. An `impl` has the name of the type it extends. */
export function hasOwnName(tree: FlatTree, { grammar }: CompiledSpec, { kind, nameNode }: Found): boolean {
	return kind !== "impl" || grammar.fields[tree.field[nameNode] ?? 0] === "name";
}

/** The further names of one declaration: `b` and `c` of `int a, b, c`. */
export function listOtherNames(tree: FlatTree, compiled: CompiledSpec, { node, rule }: Found): string[] {
	const first = rule?.pickName(tree, node) ?? -1;
	const field = tree.field[first] ?? 0;
	if (!rule || first < 0 || field === 0) return [];
	const names: string[] = [];
	findChild(tree, tree.parent[first] ?? 0, (child) => {
		if (child <= first || tree.field[child] !== field) return false;
		if (!rule.descends && tree.type[child] !== tree.type[first]) return false;
		const nameNode = rule.descends ? findDeclaredName(tree, compiled, child, rule) : child;
		const name = nameNode < 0 ? "" : readNodeName(tree, compiled, nameNode);
		if (name.length <= MAX_NAME && (isPlainChain(name) || OPERATOR_NAME.test(name))) names.push(name);
		return false;
	});
	return names;
}

function labelsOf(tree: FlatTree, { grammar }: CompiledSpec, node: number, type: string): string[] {
	const labels: string[] = [];
	findChild(tree, node, (child) => {
		const label = grammar.types[tree.type[child] ?? 0] === type ? stripQuotes(readNodeText(tree, child)) : "";
		if (label !== "" && label.length <= MAX_NAME) labels.push(label);
		return false;
	});
	return labels;
}

/** `<div id="app">` → `div#app`; an element without an id counts only when its tag is a landmark. */
function elementName(startTag: string, landmarks: RegExp): string {
	const tag = /^<\s*([\w-]+)/.exec(startTag)?.[1]?.toLowerCase() ?? "";
	const id = /\sid\s*=\s*["']?([\w:.-]+)/i.exec(startTag)?.[1];
	return id !== undefined ? `${tag}#${id}` : landmarks.test(tag) ? tag : "";
}

/** The type of the receiver, if there is one, else what the name is written with: `Store` of `Store::save`. */
function ownerOf(tree: FlatTree, node: number, rule: CompiledRule, full: string, last: string): string {
	const receiver = rule.pickReceiver?.(tree, node) ?? -1;
	return receiver >= 0 ? receiverType(readNodeText(tree, receiver)) : ownerIn(full, last);
}

/** `(s *Stack[T])` → `Stack`. */
function receiverType(text: string): string {
	return findLastName(text.replace(/\[.*$/s, "").replace(/(?<![\s)?])[\s)?]+$/, ""));
}

function ownerIn(full: string, name: string): string {
	const before = full.slice(0, full.length - name.length);
	return before
		.replace(/::|->|:/g, ".")
		.replace(/^(?:module\.)?exports\.|^this\.|^self\.|\.prototype(?=\.)|[.\s]+$|<[^>]*>/g, "")
		.replace(/\.+$/, "");
}
