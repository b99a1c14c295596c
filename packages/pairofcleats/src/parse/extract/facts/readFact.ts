import type { FlatTree } from "../../tree/flatTree.ts";
import { findLastName, readNodeText } from "../../tree/nodeText.ts";
import {
	type CompiledSpec,
	hasFirstWord,
	isAssigning,
	isUpdating,
	LIST,
	readRoles,
	readRolesByWord,
	readTypeName,
	STANDING,
} from "../spec/compileSpec.ts";
import { ROLE } from "../spec/roles.ts";
import { type FactSink, MAX_NAME } from "./factSink.ts";
import {
	findOperand,
	isBareCall,
	isFieldKey,
	isInitialized,
	isMarkedMember,
	isObserved,
	isSubscript,
	listOperands,
	readMemberName,
	readNodeName,
	readPlace,
	readValueName,
} from "./names.ts";
import { readAssignment } from "./readAssignment.ts";
import { readCall } from "./readCall.ts";
import { readImport } from "./readImport.ts";

/** Roles that count as facts of their chunk. */
const COUNTS = [
	[ROLE.branch, "branches"],
	[ROLE.loop, "loops"],
	[ROLE.break, "breaks"],
	[ROLE.continue, "continues"],
] as const;

const ANY_COUNT = ROLE.branch | ROLE.loop | ROLE.break | ROLE.continue;

const REFERENCE = { none: 0, value: 1, type: 2, named: 4 } as const;

const DEEPEST_TARGET = 6;

/** In Bash these are commands. */
const ANY_JUMP = ROLE.return | ROLE.break | ROLE.continue;

/**
 * Adds one node's facts to those of its chunk. `nested`: inside a function expression of the chunk; `typed`: in a type.
 */
export function readFact(
	tree: FlatTree,
	compiled: CompiledSpec,
	node: number,
	role: number,
	sink: FactSink,
	nested: boolean,
	typed: boolean,
): void {
	if (role & ROLE.identifier) readIdentifier(tree, compiled, node, sink, typed);
	else if (role & ROLE.typeIdentifier && referenceOf(tree, compiled, node) !== REFERENCE.none) {
		const name = readNodeName(tree, compiled, node);
		if (!compiled.spec.notTypes?.includes(name)) sink.add("uses", name);
		// Elixir's `My.Store` is a single node.
		if (name.includes(".")) sink.add("members", findLastName(name));
	}
	if (role & (ROLE.call | ROLE.construct) && (role & ANY_JUMP) === 0 && !isSubscript(tree, compiled, node)) {
		if (isAssigned(tree, compiled, node)) sink.add("members", findLastName(readNodeText(tree, node)));
		else if (!isPattern(tree, compiled, node) && !isInImport(tree, compiled, node, role))
			readCall(tree, compiled, node, role, sink);
	}
	if (role & ROLE.member) sink.add("members", readMemberName(tree, compiled, node));
	if (role & ROLE.assignment) readAssignment(tree, compiled, node, sink);
	if (role & ANY_COUNT) for (const [bit, field] of COUNTS) if (role & bit) sink.count(field);
	if (role & ROLE.throws)
		for (const value of listOperands(tree, compiled, node)) sink.add("throws", readValueName(tree, compiled, value));
	if (role & ROLE.await) {
		readAwait(tree, compiled, node, sink);
		if (compiled.spec.awaitIsAsync && !nested) sink.suspends = true;
	}
	if (role & ROLE.return && !nested && findOperand(tree, compiled, node) >= 0) sink.returns = true;
	if (role & ROLE.yield && !nested) sink.yields = true;
	if (role & ROLE.import) readImport(tree, compiled, node, sink);
	if (role & ROLE.delete) {
		for (const target of listOperands(tree, compiled, node)) sink.add("mutates", readPlace(tree, compiled, target));
	}
}

/** Adds the types that are written before a definition in the nodes around it: those of a field, of a template's head. */
export function readTypesBefore(
	tree: FlatTree,
	compiled: CompiledSpec,
	from: number,
	to: number,
	sink: FactSink,
): void {
	for (let at = from + 1; at < to; ) {
		const plain = readRoles(tree, compiled, at);
		const role = plain & ROLE.byWord ? readRolesByWord(tree, compiled, at, plain) : plain;
		const named = role & (ROLE.identifier | ROLE.typeIdentifier);
		if (role & ROLE.typeIdentifier || (named && referenceOf(tree, compiled, at) & REFERENCE.type))
			readFact(tree, compiled, at, named, sink, false, true);
		at = role & (ROLE.comment | ROLE.decorator) ? (tree.until[at] ?? to) : at + 1;
	}
}

function readAwait(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	const value = findOperand(tree, compiled, node);
	const above = tree.parent[node] ?? 0;
	if (value >= 0) addAwaited(tree, compiled, value, sink);
	else if (compiled.awaited.has(tree.type[above] ?? 0)) addAwaited(tree, compiled, above, sink);
}

/** Of a statement, what it awaits, with the later ones of a list: `async with a(), b():`. */
function addAwaited(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	// Of `await using a = await b()`, the inner one adds its own.
	if (readRoles(tree, compiled, node) & ROLE.await) return;
	const pick = compiled.awaited.get(tree.type[node] ?? 0);
	if (!pick) {
		sink.add("awaits", readValueName(tree, compiled, node));
		return;
	}
	const first = pick(tree, node);
	const end = first < 0 ? first : (tree.until[node] ?? 0);
	for (let at = first; at < end; at = tree.until[at] ?? end)
		if (tree.type[at] === tree.type[first]) addAwaited(tree, compiled, at, sink);
}

/** Whether the form of a call without arguments is given a value: `self.name` of Ruby's `self.name = name`. */
function isAssigned(tree: FlatTree, compiled: CompiledSpec, call: number): boolean {
	if (!isBareCall(tree, compiled, call)) return false;
	const above = tree.parent[call] ?? 0;
	if (isTarget(tree, compiled, call)) return true;
	return (
		isTargetList(tree, compiled, above) && (isTarget(tree, compiled, above) || isDeepTarget(tree, compiled, above))
	);
}

/** Whether the form of a call is in a pattern, which calls nothing. */
function isPattern(tree: FlatTree, { grammar, spec }: CompiledSpec, node: number): boolean {
	if (!spec.patternFields) return false;
	for (let at = node; at > 0; at = tree.parent[at] ?? 0)
		if (spec.patternFields.includes(grammar.fields[tree.field[at] ?? 0] ?? "")) return true;
	return false;
}

/** `(:import (java.util Date))`, of which no list is a call; `(require …)` is one. */
function isInImport(tree: FlatTree, compiled: CompiledSpec, node: number, role: number): boolean {
	if (!compiled.spec.forms) return false;
	if (role & ROLE.import && tree.text[(tree.start[node] ?? 0) + 1] === ":") return true;
	let at = tree.parent[node] ?? 0;
	for (let depth = 0; depth < DEEPEST_TARGET && at > 0; depth += 1, at = tree.parent[at] ?? 0) {
		const imports = compiled.imports.get(tree.type[at] ?? 0) ?? [];
		if (imports.some(({ word }) => hasFirstWord(tree, at, word))) return true;
	}
	return false;
}

function readIdentifier(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink, typed: boolean): void {
	const reference = referenceOf(tree, compiled, node);
	// The qualifier of a type's name and the name in a definition are not references.
	const above = tree.parent[node] ?? 0;
	if (tree.type[above] === compiled.tokenTree) readToken(tree, compiled, node, sink);
	if (isLabel(tree, compiled, node) || isJumpLabel(tree, compiled, above)) return;
	if (reference === REFERENCE.none || reference & REFERENCE.named) {
		if (isPath(tree, compiled, above) && isUsedPath(tree, compiled, above))
			sink.add("members", readNodeName(tree, compiled, node));
		return;
	}
	const aboveRole = readRoles(tree, compiled, above);
	const name = readNodeName(tree, compiled, node);
	if (name.length > MAX_NAME || name === "_" || compiled.spec.observers?.includes(name)) return;
	if (compiled.spec.notVariables?.includes(name)) return;
	if (compiled.spec.bareCalls?.includes(name)) {
		sink.add("calls", name);
		return;
	}
	if (isMarkedMember(tree, compiled, node) || isFieldKey(tree, compiled, node) || isInitialized(tree, compiled, node)) {
		sink.add("members", name);
		return;
	}
	sink.add("uses", name);
	if (typed || reference === REFERENCE.type) return;
	if (aboveRole & (ROLE.call | ROLE.construct) && isSpan(tree, compiled, above, node)) {
		if (!isSubscript(tree, compiled, above) && !isObserved(tree, compiled, above)) return;
	}
	if (isTarget(tree, compiled, node) || isTarget(tree, compiled, above)) return;
	if (isTargetList(tree, compiled, above) && isDeepTarget(tree, compiled, above)) return;
	sink.add("reads", name);
}

/** `text` of `Text(text = name)`, and `w` of Swift's `case .box(w: let width)`. */
function isLabel(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const above = tree.parent[node] ?? 0;
	if (((compiled.lists[tree.type[above] ?? 0] ?? 0) & LIST.labels) === 0) return false;
	const next = tree.until[node] ?? 0;
	return tree.parent[next] === above && /^[=:]$/.test(readTypeName(tree, compiled, next));
}

/** Whether the name in a statement is that of a loop: `break outer`. */
function isJumpLabel(tree: FlatTree, compiled: CompiledSpec, statement: number): boolean {
	if (!compiled.spec.jumpLabels) return false;
	const role = readRoles(tree, compiled, statement);
	if ((role & ROLE.byWord) === 0) return false;
	return (readRolesByWord(tree, compiled, statement, role) & (ROLE.break | ROLE.continue)) !== 0;
}

function isPath(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	return ((compiled.lists[tree.type[node] ?? 0] ?? 0) & LIST.path) !== 0;
}

/** Not the path of a definition, as in C++'s `int A::size() {`, nor that of an import; a pattern binds no path. */
function isUsedPath(tree: FlatTree, compiled: CompiledSpec, path: number): boolean {
	let whole = path;
	while (isPath(tree, compiled, tree.parent[whole] ?? 0)) whole = tree.parent[whole] ?? 0;
	return (standingOf(tree, compiled, whole) & (STANDING.name | STANDING.type)) !== STANDING.name;
}

/** Whether a list is a nested pattern, as `(b, c)` in `a, (b, c) = d`. */
function isDeepTarget(tree: FlatTree, compiled: CompiledSpec, list: number): boolean {
	let at = list;
	for (let depth = 0; depth < DEEPEST_TARGET && isTargetList(tree, compiled, at); depth += 1) {
		at = tree.parent[at] ?? 0;
		if (isTarget(tree, compiled, at)) return true;
	}
	return false;
}

function isTargetList(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	return ((compiled.lists[tree.type[node] ?? 0] ?? 0) & LIST.targets) !== 0;
}

/** In a macro's tokens, a name before parentheses or `!` is a call: `len` of `name.len()`. */
function readToken(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	const name = readNodeText(tree, node);
	const next = tree.until[node] ?? 0;
	const mark = tree.text[tree.start[next] ?? 0];
	const list = mark === "!" ? next + 1 : mark === "(" ? next : -1;
	const given = list > 0 && tree.type[list] === compiled.tokenTree;
	if (name.length <= MAX_NAME) sink.add(given ? "calls" : "uses", name);
}

/** What a name refers to at its position: nothing, a value, or a type. */
function referenceOf(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	const standing = standingOf(tree, compiled, node);
	if (standing === 0) return REFERENCE.value;
	if (standing & STANDING.type) return REFERENCE.type | (standing & STANDING.name ? REFERENCE.named : 0);
	if (standing & STANDING.name)
		return isDefault(tree, compiled, node) || isStable(tree, compiled, node) ? REFERENCE.value : REFERENCE.none;
	const above = tree.type[tree.parent[node] ?? 0] ?? 0;
	return compiled.nameUnder[above] === tree.field[node] ? REFERENCE.none : REFERENCE.value;
}

/** `LIMIT` of `class A(val size: Int = LIMIT)`. */
function isDefault(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const above = tree.type[tree.parent[node] ?? 0] ?? 0;
	if (((compiled.lists[above] ?? 0) & LIST.defaults) === 0) return false;
	let at = (tree.start[node] ?? 0) - 1;
	while (/\s/.test(tree.text[at] ?? "")) at -= 1;
	return tree.text[at] === "=";
}

/** `None` of `case None =>`. */
function isStable(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const above = tree.type[tree.parent[node] ?? 0] ?? 0;
	return ((compiled.lists[above] ?? 0) & LIST.stable) !== 0 && /^[\p{Lu}`]/u.test(readNodeText(tree, node));
}

/** The bits of `STANDING` that its parent and its field give a node. */
function standingOf(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	const above = tree.type[tree.parent[node] ?? 0] ?? 0;
	return (compiled.standing.under[above] ?? 0) | (compiled.standing.at[tree.field[node] ?? 0] ?? 0);
}

/**
 * Whether a node is the left side of an assignment that does not read the old value. In a list of targets, the
 * assignment is one level up.
 */
function isTarget(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const above = tree.parent[node] ?? 0;
	const type = tree.type[above] ?? 0;
	if (((compiled.roles[type] ?? 0) & ROLE.assignment) === 0) return false;
	if (readRoles(tree, compiled, node) & (ROLE.member | ROLE.index)) return false;
	const rule = compiled.assignments.get(type);
	if (rule === undefined || rule.changes) return false;
	return rule.pickLeft(tree, above) === node && isAssigning(tree, rule, above) && !isUpdating(tree, rule, above);
}

function isSpan(tree: FlatTree, compiled: CompiledSpec, call: number, node: number): boolean {
	return compiled.spans.get(tree.type[call] ?? 0)?.at(-1)?.(tree, call) === node;
}
