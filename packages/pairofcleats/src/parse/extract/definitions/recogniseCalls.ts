import type { FlatTree } from "../../tree/flatTree.ts";
import { readNodeText, shortenText, stripQuotes } from "../../tree/nodeText.ts";
import { MAX_NAME } from "../facts/factSink.ts";
import { readCallee } from "../facts/names.ts";
import { type CompiledSpec, hasFirstWord, readTypeName } from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";
import { ROLE } from "../spec/roles.ts";
import type { Found } from "./visibility.ts";

/** A symbol or a string without parts that are computed: `:name`, `"name"`. */
const LITERAL = /^(?::|(["']))(\w+[!?=]?)\1$/;

/** `define_method(:name) { … }`: a call that defines what its first argument names. */
export function recogniseCalled(tree: FlatTree, compiled: CompiledSpec, node: number): Found | undefined {
	const { definingCalls } = compiled.spec;
	// Almost every call is another one, and most of them begin with another word.
	if (!definingCalls?.names.some((name) => hasFirstWord(tree, node, name))) return undefined;
	if (!definingCalls.names.includes(readCallee(tree, compiled, node))) return undefined;
	const list = childAt(tree, compiled, node, "arguments");
	const nameNode =
		list < 0 ? -1 : findChild(tree, list, (child) => compiled.grammar.named[tree.type[child] ?? 0] ?? false);
	const name = nameNode < 0 ? undefined : LITERAL.exec(readNodeText(tree, nameNode))?.[2];
	if (name === undefined) return undefined;
	const block = childAt(tree, compiled, node, "block");
	return {
		node,
		kind: definingCalls.kind,
		name,
		owner: "",
		nameNode,
		callable: block < 0 ? node : block,
		rule: undefined,
		container: false,
	};
}

function childAt(tree: FlatTree, { grammar }: CompiledSpec, node: number, field: string): number {
	return findChild(tree, node, (child) => grammar.fields[tree.field[child] ?? 0] === field);
}

const LONGEST_CALLEE = 40;

/** `describe("title", () => …)`: a call of a known name with a title and a function. */
export function recogniseTest(tree: FlatTree, compiled: CompiledSpec, node: number): Found | undefined {
	const tests = compiled.spec.testCalls;
	const spans = compiled.spans.get(tree.type[node] ?? 0);
	if (!tests || !spans || readTypeName(tree, compiled, node) !== tests.call) return undefined;
	const callee = spans.at(-1)?.(tree, node) ?? -1;
	if (callee < 0) return undefined;
	const start = tree.start[callee] ?? 0;
	const called =
		tree.text.slice(start, Math.min(start + LONGEST_CALLEE, tree.end[callee] ?? 0)).split(/[.(]/, 1)[0] ?? "";
	const group = tests.groups.includes(called);
	if (!group && !tests.cases.includes(called)) return undefined;
	const last = tree.until[node] ?? 0;
	const titles = group && tests.groupTitles ? [...tests.titles, ...tests.groupTitles] : tests.titles;
	const among = (names: readonly string[] | undefined, type: number): boolean =>
		compiled.grammar.named[type] === true && names?.includes(compiled.grammar.types[type] ?? "") === true;
	const given = tree.until[callee] ?? last;
	const isTitle = (type: number): boolean => among(titles, type);
	const isBody = (type: number): boolean =>
		((compiled.roles[type] ?? 0) & ROLE.lambda) !== 0 || among(tests.bodies, type);
	const body = firstNode(tree, given, last, isBody);
	// `test.each(table)("title", …)` has the title after the callee, `test("title") { … }` inside it.
	const behind = firstNode(tree, given, body, isTitle);
	const title = behind >= 0 ? behind : firstNode(tree, callee + 1, given, isTitle);
	if (title < 0 || body < 0) return undefined;
	const name = shortenText(stripQuotes(readNodeText(tree, title)), MAX_NAME);
	if (name === "") return undefined;
	return { node, kind: "test", name, owner: "", nameNode: title, callable: body, rule: undefined, container: group };
}

function firstNode(tree: FlatTree, from: number, to: number, matches: (type: number) => boolean): number {
	for (let at = from; at < to; at += 1) if (matches(tree.type[at] ?? 0)) return at;
	return -1;
}
