import type { CompiledSpec } from "../extract/compileSpec.ts";
import { typeName } from "../extract/nodeType.ts";
import { findChild } from "../extract/pick.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { textOf, unquote } from "../tree/nodeText.ts";

/** The keys under which libraries take the text of a query, beside one for its values. */
const TEXT_KEYS: ReadonlySet<string> = new Set(["text", "sql", "query"]);

/**
 * The text in what a query is given, which may hold values to bind as well: `{ text: "…", values }` in JavaScript,
 * `["name = ?", name]` in Ruby, `User{Name: name}` in Go; -1 if there is none.
 */
export function queryText(tree: FlatTree, compiled: CompiledSpec, argument: number): number {
	switch (typeName(tree, compiled, argument)) {
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
		const key = typeName(tree, compiled, child) === "pair" ? firstOf(tree, compiled, child) : child;
		return TEXT_KEYS.has(unquote(textOf(tree, key)));
	});
	if (typeName(tree, compiled, member) !== "pair") return member;
	return findChild(tree, member, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "value");
}

function firstOf(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	return findChild(tree, node, (child) => compiled.grammar.named[tree.type[child] ?? 0] ?? false);
}
