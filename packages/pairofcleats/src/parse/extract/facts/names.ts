import type { FlatTree } from "../../tree/flatTree.ts";
import {
	describePlace,
	dropArguments,
	dropTypeArguments,
	findLastName,
	findLastNameBefore,
	lookUpOwn,
	normaliseChain,
	readNodeText,
	shortenText,
	splitAtCommas,
} from "../../tree/nodeText.ts";
import { type CompiledSpec, hasFirstWord, isInitializer, LIST, readRoles, readTypeName } from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";
import { ROLE } from "../spec/roles.ts";

/** A value with a longer text has no name. */
const LONGEST_VALUE = 4_000;

/** An identifier without the sigil that its language puts before variables, and without quotes around it. */
export function readNodeName(tree: FlatTree, compiled: CompiledSpec, node: number): string {
	return dropMark(compiled, readNodeText(tree, node));
}

/** The last name of a member: `save` of `this.db.save`. */
export function readMemberName(tree: FlatTree, { spec }: CompiledSpec, node: number): string {
	const end = tree.end[node] ?? 0;
	const quoted = spec.quote !== undefined && tree.text[end - 1] === spec.quote;
	return findLastNameBefore(tree.text, tree.start[node] ?? 0, quoted ? end - 1 : end);
}

/** Whether what stands right before a name makes it a member: `.left` in Swift, `::isOk` in Kotlin. */
export function isMarkedMember(tree: FlatTree, { spec: { memberMark } }: CompiledSpec, node: number): boolean {
	return memberMark !== undefined && tree.text.startsWith(memberMark, (tree.start[node] ?? 0) - memberMark.length);
}

export function dropMark(compiled: CompiledSpec, text: string): string {
	const mark = compiled.spec.sigil ?? compiled.spec.quote;
	return mark === undefined ? text : text.replaceAll(mark, "");
}

export function readPlace(tree: FlatTree, compiled: CompiledSpec, node: number): string {
	return describePlace(dropMark(compiled, readNodeText(tree, node)));
}

/** Whether a call is `list[0]`. */
export function isSubscript({ text, end }: FlatTree, { spec }: CompiledSpec, call: number): boolean {
	return spec.subscriptCalls === true && text[(end[call] ?? 0) - 1] === "]";
}

/** Whether nothing follows the callee, as in Ruby's `self.name`. */
export function isBareCall(tree: FlatTree, { spans }: CompiledSpec, call: number): boolean {
	const callee = spans.get(tree.type[call] ?? 0)?.at(-1)?.(tree, call) ?? -1;
	return callee >= 0 && tree.end[callee] === tree.end[call];
}

/** Source text of a call's callee; empty if it is not a name. */
export function readCallee(tree: FlatTree, compiled: CompiledSpec, node: number): string {
	let start = -1;
	let end = -1;
	for (const pick of compiled.spans.get(tree.type[node] ?? 0) ?? []) {
		const callee = pick(tree, node);
		if (callee < 0) continue;
		// The grammar reads `await a.b<T>(c)` as `(await a.b)<T>(c)`.
		const awaits = (readRoles(tree, compiled, callee) & ROLE.await) !== 0;
		const part = awaits ? Math.max(callee, findOperand(tree, compiled, callee)) : callee;
		if (start < 0) start = tree.start[part] ?? 0;
		end = tree.end[part] ?? 0;
	}
	// `done!()`, `close?()`: the mark is an operator, not part of the name.
	while (isMark(tree.text.charCodeAt(end - 1)) && !compiled.spec.markedNames) end -= 1;
	// The language's spec names calls that have no name of their own, such as a command in backticks.
	if (start < 0) return lookUpOwn(compiled.spec.namedCalls, readTypeName(tree, compiled, node)) ?? "";
	const text = dropMark(compiled, tree.text.slice(Math.max(start, end - 400), end));
	if (text.includes("<")) return untyped(text);
	return text.endsWith("]") && compiled.spec.typeArguments ? text.replace(compiled.spec.typeArguments, "") : text;
}

/** `std::get` of `std::get<int>`; unchanged if it is not a chain of names, or names an operator. */
function untyped(callee: string): string {
	const bare = dropTypeArguments(callee.replaceAll("::<", "<"));
	return normaliseChain(bare) === undefined || bare.endsWith("operator") ? callee : bare;
}

/** One list of attributes may be long. */
const LONGEST_DECORATORS = 1_000;

/** `app.route("/")` of `@app.route("/")`, and `Key` and `Column("id")` of `[Key, Column("id")]`. */
export function listDecorators(text: string): readonly string[] {
	const written = shortenText(text, LONGEST_DECORATORS);
	const list = /^(?:#!?\[|\[\[?)(.*?)\]{1,2}$/.exec(written)?.[1];
	return list === undefined ? [written.replace(/^(?:@|#!?\[|\[\[?)/, "")] : splitAtCommas(list);
}

/** `@RequestParam` of `@web.RequestParam("q")`, and of `[RequestParam]`. */
export function listDecoratorNames(text: string): readonly string[] {
	return listDecorators(text).map((one) => `@${findLastName(/^\s*\\?([\w.:\\]+)/.exec(one)?.[1] ?? "")}`);
}

function isMark(code: number): boolean {
	return code === 33 || code === 63;
}

/** The name of a thrown or awaited value: the class constructed, the function called, or the name itself. */
export function readValueName(tree: FlatTree, compiled: CompiledSpec, value: number): string {
	if (value < 0) return "";
	const role = readRoles(tree, compiled, value);
	const text =
		role & (ROLE.call | ROLE.construct) ? readCallee(tree, compiled, value) : readNodeName(tree, compiled, value);
	const called = text.length > LONGEST_VALUE ? undefined : normaliseChain(dropArguments(text));
	// Swift's `throw error!`.
	const chain = compiled.spec.markedNames ? normaliseChain(text) : normaliseChain(text)?.replace(/[!?]$/, "");
	return chain ?? called ?? findLastName(text);
}

export function findOperand(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	return findChild(tree, node, (child) => {
		const type = tree.type[child] ?? 0;
		if (!compiled.grammar.named[type] || (compiled.roles[type] ?? 0) & ROLE.comment) return false;
		return !compiled.spec.wordNodes?.includes(compiled.grammar.types[type] ?? "");
	});
}

/** All operands between commas: `del a, b`, `throws A, B`. Stops at any other word. */
export function listOperands(tree: FlatTree, compiled: CompiledSpec, node: number): number[] {
	const first = findOperand(tree, compiled, node);
	if (first < 0) return [];
	if (isValueList(tree, compiled, first)) return listOperands(tree, compiled, first);
	const found = [first];
	const end = tree.until[node] ?? 0;
	for (let at = tree.until[first] ?? end; at < end; at = tree.until[at] ?? end) {
		const type = tree.type[at] ?? 0;
		if (compiled.grammar.named[type]) found.push(at);
		else if (compiled.grammar.types[type] !== ",") break;
	}
	return found;
}

export function isValueList(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	return ((compiled.lists[tree.type[node] ?? 0] ?? 0) & LIST.values) !== 0;
}

/** The block of observers in Swift's `var size = 0 { didSet { … } }`, where it looks like an argument; -1 if it is none. */
export function findObservers(tree: FlatTree, { spec, grammar, roles }: CompiledSpec, call: number): number {
	if (!spec.observers || call < 0 || tree.text[(tree.end[call] ?? 0) - 1] !== "}") return -1;
	const block = findChild(
		tree,
		argumentsOf(tree, call),
		(child) => ((roles[tree.type[child] ?? 0] ?? 0) & ROLE.lambda) !== 0,
	);
	const first = block < 0 ? block : findChild(tree, block, (child) => grammar.named[tree.type[child] ?? 0] ?? false);
	return first >= 0 && spec.observers.some((word) => hasFirstWord(tree, first, word)) ? block : -1;
}

/** Whether what looks like a call is a value with observers: not so in `var size = load() { didSet { … } }`. */
export function isObserved(tree: FlatTree, compiled: CompiledSpec, call: number): boolean {
	const block = findObservers(tree, compiled, call);
	return block >= 0 && block === argumentsOf(tree, call) + 1;
}

function argumentsOf(tree: FlatTree, call: number): number {
	return tree.until[call + 1] ?? 0;
}

/** Whether a name is a member that is given its value: `Name` of C#'s `new User { Name = name }`. */
export function isInitialized(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	if (!compiled.spec.initializers || readTypeName(tree, compiled, tree.until[node] ?? 0) !== "=") return false;
	return isInitializer(tree, compiled.lists, node) || isInitializer(tree, compiled.lists, tree.parent[node] ?? 0);
}

/** Whether a name is the field in a literal of a struct: `name` of `Server{name: n}`, not of `map[string]int{name: 1}`. */
export function isFieldKey(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const { fieldKeys } = compiled.spec;
	const key = tree.parent[node] ?? 0;
	if (!fieldKeys || compiled.grammar.fields[tree.field[key] ?? 0] !== "key") return false;
	const pair = tree.parent[key] ?? 0;
	if (readTypeName(tree, compiled, pair) !== fieldKeys.pair) return false;
	const literal = tree.parent[tree.parent[pair] ?? 0] ?? 0;
	// The type comes first; a literal inside another one has none.
	return !fieldKeys.keyed.includes(readTypeName(tree, compiled, literal + 1));
}
