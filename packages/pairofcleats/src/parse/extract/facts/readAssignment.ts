import type { FlatTree } from "../../tree/flatTree.ts";
import { describePlace, findLastName, normaliseChain, readNodeText } from "../../tree/nodeText.ts";
import {
	type CompiledSpec,
	isAssigning,
	isUpdating,
	LIST,
	listTargets,
	readRoles,
	readTypeName,
} from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";
import { ROLE } from "../spec/roles.ts";
import type { FactSink } from "./factSink.ts";
import {
	dropMark,
	findOperand,
	isBareCall,
	isMarkedMember,
	isObserved,
	isValueList,
	listOperands,
	readCallee,
	readNodeName,
	readPlace,
} from "./names.ts";

export function readAssignment(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	const rule = compiled.assignments.get(tree.type[node] ?? 0);
	if (!rule || !isAssigning(tree, rule, node)) return;
	const left = rule.pickLeft(tree, node);
	if (left < 0) return;
	if (rule.changes) {
		sink.add("mutates", readPlace(tree, compiled, left));
		return;
	}
	const last = rule.pickRight(tree, node);
	// Without a value, the last part of a declaration is the name itself.
	const right = last === left ? -1 : last;
	// A declaration without a value assigns nothing.
	if (rule.declares && right < 0) return;
	const targets = listTargets(tree, rule, left);
	for (const target of targets) writeTarget(tree, compiled, target, sink, rule.declares ?? false);
	if (isUpdating(tree, rule, node)) {
		// Where Bash's grammar puts the name, it would not count as read.
		if (readRoles(tree, compiled, left) & ROLE.identifier) sink.add("reads", readNodeName(tree, compiled, left));
		return;
	}
	if (right < 0) return;
	const value = lastValue(tree, compiled, right);
	const valueRole = readRoles(tree, compiled, value);
	if (valueRole & (ROLE.identifier | ROLE.member) && !isPattern(tree, compiled, left)) {
		// Swift's `if let a, let b = c`.
		const to = readPlace(tree, compiled, targets.findLast((target) => target < right) ?? left);
		const text = dropMark(compiled, readNodeText(tree, value));
		const from = normaliseChain(text.startsWith("(") ? describePlace(text) : text);
		if (to !== "" && to !== "_" && from !== undefined) sink.add("aliases", `${to}=${from}`);
	}
	const declared = rule.declares === true ? declaredNumber(tree, compiled, node, left, value) : undefined;
	if (declared !== undefined) sink.add("inferredTypes", declared);
	else if (isValueList(tree, compiled, value) && isPattern(tree, compiled, left)) {
		for (const one of listOperands(tree, compiled, value)) sink.add("inferredTypes", inferredType(tree, compiled, one));
	} else sink.add("inferredTypes", inferredType(tree, compiled, value));
}

/** `a` is a write, `a.b` and `a[i]` are mutations, and a pattern writes each of its names. */
function writeTarget(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink, declares: boolean): void {
	const role = readRoles(tree, compiled, node);
	if (role & (ROLE.member | ROLE.index)) sink.add("mutates", readPlace(tree, compiled, node));
	else if (role & (ROLE.identifier | ROLE.typeIdentifier)) addWrite(tree, compiled, node, sink);
	else if (role & ROLE.call) sink.add("mutates", describePlace(readCallee(tree, compiled, node)));
	else if (
		!declares &&
		/^\*|^[\w$@]+\s*[?!]{0,2}[.[]/.test(readNodeText(tree, node)) &&
		!isPattern(tree, compiled, node)
	)
		sink.add("mutates", readPlace(tree, compiled, node));
	else {
		const end = Math.min(tree.until[node] ?? 0, node + 200);
		for (let at = node + 1; at < end; ) {
			const inner = readRoles(tree, compiled, at);
			const isChanged = inner & (ROLE.member | ROLE.index) || (inner & ROLE.call && isBareCall(tree, compiled, at));
			if (isChanged) sink.add("mutates", readPlace(tree, compiled, at));
			else if (isTargetName(compiled, tree, at, inner) && !isOther(tree, compiled, at))
				addWrite(tree, compiled, at, sink);
			const whole = inner & (ROLE.member | ROLE.index | ROLE.call | ROLE.typeIdentifier) || isOther(tree, compiled, at);
			at = whole ? (tree.until[at] ?? end) : at + 1;
		}
	}
}

/** A variable, or a name of a type that a list assigns: Ruby's constants. */
function isTargetName(compiled: CompiledSpec, tree: FlatTree, node: number, role: number): boolean {
	if (role & ROLE.identifier) return !isMarkedMember(tree, compiled, node);
	const above = compiled.lists[tree.type[tree.parent[node] ?? 0] ?? 0] ?? 0;
	return (role & ROLE.typeIdentifier) !== 0 && (above & LIST.targets) !== 0;
}

/** `_` stands for a value that is not kept. */
function addWrite(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	const name = readNodeName(tree, compiled, node);
	if (name !== "_" && !compiled.spec.notVariables?.includes(name)) sink.add("writes", name);
}

/** Whether a node of a target is a type, a default value (`{ a = b }`), an owner (`A::b`) or Lua's `<const>`. */
function isOther(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const field = compiled.grammar.fields[tree.field[node] ?? 0];
	return field === "type" || field === "right" || field === "scope" || field === "attribute";
}

/** Whether a target has several names or nests one: `[a, b]`, `Some(x)`. */
function isPattern(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const role = readRoles(tree, compiled, node);
	return (role & (ROLE.member | ROLE.index)) === 0 && /^[[{]|,|^[\w:]+\s*[({]/.test(readNodeText(tree, node));
}

/** The value finally assigned: `c` of `a = b = c`. Looks through Go's single-value lists and through parentheses. */
function lastValue(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	let at = node;
	for (let steps = 0; steps < 4; steps += 1) {
		const inner = innerValue(tree, compiled, at);
		if (inner < 0) return at;
		at = inner;
	}
	return at;
}

function innerValue(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	const chained = compiled.assignments.get(tree.type[node] ?? 0);
	if (chained) return isUpdating(tree, chained, node) ? -1 : chained.pickRight(tree, node);
	if (isObserved(tree, compiled, node)) return node + 1;
	return wraps(tree, compiled, node) ? findOperand(tree, compiled, node) : -1;
}

function wraps(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	if (isValueList(tree, compiled, node)) return listOperands(tree, compiled, node).length === 1;
	return readTypeName(tree, compiled, node) === "parenthesized_expression";
}

const NUMBER = /^[-+]?\.?\d/;
/** `5u64` in Rust. */
const TYPED_NUMBER = /[\d_.]([iuf](?:8|16|32|64|128|size))$/;
/** Words that leave the type to the value. */
const LEFT_TO_VALUE = /^(?:auto|var|let|const|val|dynamic|_)$/;

/** The type that a declaration gives to a number, which by itself could be of several: `let n: u64 = 5`. */
function declaredNumber(
	tree: FlatTree,
	compiled: CompiledSpec,
	node: number,
	left: number,
	value: number,
): string | undefined {
	const number = readNodeText(tree, value);
	if (!NUMBER.test(number) || (readRoles(tree, compiled, left) & ROLE.identifier) === 0) return undefined;
	const isType = (child: number): boolean => compiled.grammar.fields[tree.field[child] ?? 0] === "type";
	const own = findChild(tree, node, isType);
	const type = own >= 0 ? own : findChild(tree, tree.parent[node] ?? 0, isType);
	const written = type < 0 ? "" : readNodeText(tree, type).replace(/^:\s*/, "");
	if (/^\p{L}[\p{L}\p{N}_:. ]*$/u.test(written) && !LEFT_TO_VALUE.test(written)) return written;
	return compiled.spec.typedNumbers ? TYPED_NUMBER.exec(number)?.[1] : undefined;
}

function inferredType(tree: FlatTree, compiled: CompiledSpec, value: number): string {
	const role = readRoles(tree, compiled, value);
	const literal = compiled.literals.get(tree.type[value] ?? 0);
	if (literal !== undefined) return literal;
	if (role & ROLE.construct) return findLastName(readCallee(tree, compiled, value));
	if (role & ROLE.call && compiled.spec.capitalCallsConstruct) {
		const name = findLastName(readCallee(tree, compiled, value));
		return /^\p{Lu}/u.test(name) ? name : "";
	}
	return "";
}
