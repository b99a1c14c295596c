import { type CompiledSpec, readTypeName } from "../extract/spec/compileSpec.ts";
import { findChild } from "../extract/spec/pick.ts";
import { ROLE } from "../extract/spec/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText, stripQuotes } from "../tree/nodeText.ts";

/** A range of nodes that may be skipped as a whole when the code around it runs. */
type Arm = { readonly from: number; readonly to: number };

/** The innermost arm around a node: a side of an `if`, a case, a loop's body, what follows `&&`, or an inner function. */
export function readOptionalArm(tree: FlatTree, compiled: CompiledSpec, node: number): Arm | undefined {
	let always = false;
	for (let at = node; at > 0; at = tree.parent[at] ?? 0) {
		const branch = tree.parent[at] ?? 0;
		if (LOGICAL.has(readTypeName(tree, compiled, at - 1)) && tree.parent[at - 1] === branch)
			return { from: at, to: tree.until[branch] ?? 0 };
		always ||= ALWAYS_RUN.has(compiled.grammar.fields[tree.field[at] ?? 0] ?? "");
		if (!isOptional(tree, compiled, branch)) continue;
		if (!always) return { from: at, to: otherSide(tree, compiled, at, branch) };
		always = false;
	}
	return undefined;
}

const LOGICAL: ReadonlySet<string> = new Set(["&&", "||", "??", "and", "or"]);
/** The fields of an `if` or a loop that run before anything is decided. */
const ALWAYS_RUN: ReadonlySet<string> = new Set(["condition", "initializer", "initialize", "init"]);
/** Not counted as branches, because no condition leads to them. */
const LAST_RESORT = /^(?:else|default|switch_default|switch_block_statement_group|switch_rule)/;

function isOptional(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const type = tree.type[node] ?? 0;
	if ((compiled.roles[type] ?? 0) & (ROLE.branch | ROLE.loop | ROLE.lambda)) return true;
	const byWord = compiled.words.get(type)?.some(({ role }) => role === ROLE.branch) ?? false;
	return byWord || LAST_RESORT.test(readTypeName(tree, compiled, node));
}

const MOST_SIBLINGS = 100;

/** Where the `else` after an arm begins; the end of the branch if there is none. */
function otherSide(tree: FlatTree, compiled: CompiledSpec, arm: number, branch: number): number {
	const end = tree.until[branch] ?? 0;
	let at = tree.until[arm] ?? end;
	for (let seen = 0; at < end && seen < MOST_SIBLINGS; seen += 1) {
		if (/^el(?:se|s?if)/.test(readTypeName(tree, compiled, at))) return at;
		at = tree.until[at] ?? end;
	}
	return end;
}

/** The keys under which libraries take the text of a query, beside one for its values. */
const TEXT_KEYS: ReadonlySet<string> = new Set(["text", "sql", "query"]);

/**
 * The text in what a query is given, which may hold values to bind as well: `{ text: "…", values }` in JavaScript,
 * `["name = ?", name]` in Ruby, `User{Name: name}` in Go; -1 if there is none.
 */
export function readQueryText(tree: FlatTree, compiled: CompiledSpec, argument: number): number {
	switch (readTypeName(tree, compiled, argument)) {
		case "object":
			return textMember(tree, compiled, argument);
		case "array":
			return firstOf(tree, compiled, argument);
		// Go's `&user` is no text, but `*text` is.
		case "unary_expression":
			return tree.text[tree.start[argument] ?? 0] === "*" ? argument : -1;
		case "hash":
		case "composite_literal":
			return -1;
		default:
			return argument;
	}
}

function textMember(tree: FlatTree, compiled: CompiledSpec, object: number): number {
	const member = findChild(tree, object, (child) => {
		const key = readTypeName(tree, compiled, child) === "pair" ? firstOf(tree, compiled, child) : child;
		return TEXT_KEYS.has(stripQuotes(readNodeText(tree, key)));
	});
	if (readTypeName(tree, compiled, member) !== "pair") return member;
	return findChild(tree, member, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "value");
}

function firstOf(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	return findChild(tree, node, (child) => compiled.grammar.named[tree.type[child] ?? 0] ?? false);
}
