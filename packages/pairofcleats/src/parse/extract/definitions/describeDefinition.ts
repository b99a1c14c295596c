import { type ChunkFacts, type DraftFacts, isFunctionLike } from "../../chunk.ts";
import type { Visibility } from "../../specs/rules.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import { lookUpOwn, readNodeText, readWrittenText, shortenText, splitAtCommas } from "../../tree/nodeText.ts";
import { findObservers, listDecorators } from "../facts/names.ts";
import { type CompiledSpec, readRoles, readTypeName } from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";
import { ROLE } from "../spec/roles.ts";
import { findParametersNode, listParameterNames, readTypeMarks } from "./declarators.ts";
import { type Found, findVisibility, isExported, readModifier, type Wrapping } from "./visibility.ts";

const MAX_SIGNATURE = 400;
const LONGEST_MODIFIER = 24;

export type Header = {
	readonly facts: ChunkFacts;
	readonly visibility: Visibility | undefined;
	readonly exported: boolean;
	/** Those in `facts.extends`, to which statements in a container may add. */
	readonly ancestors: string[];
	/** Where the declaration itself begins, after decorators. */
	readonly start: number;
};

/** Reads the head of a definition: signature, parameters, modifiers, decorators, ancestors. */
export function describeDefinition(
	tree: FlatTree,
	compiled: CompiledSpec,
	found: Found,
	context: {
		readonly wrapping: Wrapping;
		readonly section: Visibility | undefined;
		readonly decorators: readonly string[];
	},
): Header {
	const { spec } = compiled;
	const { around, from, group } = context.wrapping;
	const body = compiled.pickBody(tree, found.callable);
	const head: Head = {
		modifiers: new Set(),
		decorators: [...context.decorators],
		extends: [],
		implements: [],
		// In a group, only a definition on the line of the group's head begins with that head.
		start: group && (from === found.node || beginsLater(tree, from, found.node)) ? (tree.start[found.node] ?? 0) : -1,
	};
	for (const node of new Set([around, ...wrappersBetween(tree, around, found.node), found.node, found.callable])) {
		readHead(tree, compiled, node, body, head, node === found.node ? found.nameNode : -1);
	}
	if (found.rule?.underlying) head.extends.length = 0;
	if (head.start < 0) head.start = tree.start[found.node] ?? 0;
	const visibility = findVisibility(compiled, found, head.modifiers, context.section);
	const exported =
		isExported(compiled, tree, around, found, visibility) ||
		(spec.exportDecorators ?? []).some((name) => head.decorators.includes(name));
	const end = headEnd(tree, compiled, found, body);
	const result = found.rule?.pickResult?.(tree, found.callable) ?? -1;
	const parameters = findParametersNode(tree, compiled, found);
	const source = found.rule?.landmarks ? readNodeText(tree, found.nameNode) : readWrittenText(tree, head.start, end);
	const facts: DraftFacts = {
		signature: shortenText(source.replace(/(?<![\s={:])[\s={:]+$/, ""), MAX_SIGNATURE),
	};
	if (spec.decorators) facts.decorators = head.decorators;
	if (spec.extends !== undefined) facts.extends = head.extends;
	if (spec.implements !== undefined) facts.implements = head.implements;
	if (parameters >= 0) facts.params = listParameterNames(tree, compiled, parameters);
	if (result >= 0) facts.returnType = resultText(tree, compiled, found, result);
	if (visibility) facts.visibility = visibility;
	if (spec.exported) facts.exported = exported;
	if (head.modifiers.has(spec.asyncWord ?? "async")) facts.async = true;
	if (head.modifiers.has("*")) facts.generator = true;
	if (bodyIsValue(tree, compiled, found, body)) facts.returns = true;
	return { facts, visibility, exported, ancestors: head.extends, start: head.start };
}

/** The result type as written, plus the pointer marks that C puts before the name. */
function resultText(tree: FlatTree, compiled: CompiledSpec, found: Found, result: number): string {
	const written = readWrittenText(tree, tree.start[result] ?? 0, tree.end[result] ?? 0);
	const text = shortenText(written.replace(/^\s*(?::|->)\s*/, ""), 160);
	const marks = found.rule?.descends ? readTypeMarks(tree, compiled, found) : "";
	return marks !== "" && /\s/.test(tree.text[tree.end[result] ?? 0] ?? "") ? `${text} ${marks}` : text + marks;
}

/** Whether the body is itself the returned value, as in `x => x + 1`, or ends with it, as in Ruby. */
function bodyIsValue(tree: FlatTree, compiled: CompiledSpec, found: Found, body: number): boolean {
	const { lastIsResult } = compiled.spec;
	if (lastIsResult !== undefined) return body >= 0 && endsWithValue(tree, compiled, found, body, lastIsResult);
	const statements = lookUpOwn(compiled.spec.valueBodies, readTypeName(tree, compiled, found.callable));
	return statements !== undefined && body >= 0 && !statements.includes(readTypeName(tree, compiled, body));
}

function endsWithValue(
	tree: FlatTree,
	compiled: CompiledSpec,
	found: Found,
	body: number,
	{ statements, valueless }: NonNullable<CompiledSpec["spec"]["lastIsResult"]>,
): boolean {
	if (!isFunctionLike(found.kind) || found.kind === "constructor") return false;
	if (readTypeName(tree, compiled, body) !== statements) return true;
	let last = -1;
	findChild(tree, body, (child) => {
		const type = tree.type[child] ?? 0;
		const isClause = ["rescue", "ensure", "else"].includes(compiled.grammar.types[type] ?? "");
		if (compiled.grammar.named[type] && !isClause && ((compiled.roles[type] ?? 0) & ROLE.comment) === 0) last = child;
		return false;
	});
	if (last < 0) return false;
	const word = /^\w+/.exec(readNodeText(tree, last))?.[0] ?? "";
	return !valueless.includes(readTypeName(tree, compiled, last)) && !valueless.includes(word);
}

function beginsLater(tree: FlatTree, outer: number, node: number): boolean {
	return tree.text.slice(tree.start[outer], tree.start[node]).includes("\n");
}

/** Where the body begins, or a comment between the head and the body. */
function headEnd(tree: FlatTree, compiled: CompiledSpec, found: Found, body: number): number {
	const block = body >= 0 ? body : findObservers(tree, compiled, found.rule?.value?.pick(tree, found.node) ?? -1);
	const end = block >= 0 ? (tree.start[block] ?? 0) : (tree.end[found.node] ?? 0);
	const remark = findChild(
		tree,
		found.callable,
		(child) =>
			child > found.nameNode && (body < 0 || child < body) && (readRoles(tree, compiled, child) & ROLE.comment) !== 0,
	);
	return remark < 0 ? end : Math.min(end, tree.start[remark] ?? end);
}

type Head = { modifiers: Set<string>; decorators: string[]; extends: string[]; implements: string[]; start: number };

function wrappersBetween(tree: FlatTree, outer: number, node: number): number[] {
	const between: number[] = [];
	for (let at = tree.parent[node] ?? -1; at > outer && at >= 0; at = tree.parent[at] ?? -1) between.unshift(at);
	return between;
}

/** Reads the direct children up to the body, and those of nodes that group modifiers. */
function readHead(
	tree: FlatTree,
	compiled: CompiledSpec,
	node: number,
	body: number,
	head: Head,
	nameNode: number,
): void {
	const end = tree.until[node] ?? 0;
	for (let child = node + 1; child < end && child !== body; child = tree.until[child] ?? end) {
		const role = readRoles(tree, compiled, child);
		if (role & ROLE.modifiers) {
			readHead(tree, compiled, child, body, head, -1);
			continue;
		}
		if (role & ROLE.decorator) {
			addDecorator(head.decorators, readNodeText(tree, child));
			if (compiled.spec.hiddenDecorators) readHidden(tree, child, head.decorators);
			continue;
		}
		if (role & ROLE.comment) continue;
		// Not every grammar has nodes for the words before the first child.
		if (head.start < 0) head.start = tree.start[child === node + 1 ? node : child] ?? -1;
		if (role & ROLE.extends && child !== nameNode)
			head.extends.push(...ancestors(readWrittenText(tree, tree.start[child] ?? 0, tree.end[child] ?? 0)));
		const field = compiled.grammar.fields[tree.field[child] ?? 0];
		const named = field !== null && field !== undefined && field === compiled.spec.implementsField;
		if (named || role & ROLE.implements) head.implements.push(...ancestors(readNodeText(tree, child)));
		if ((tree.end[child] ?? 0) - (tree.start[child] ?? 0) > LONGEST_MODIFIER) continue;
		// `private def …` in Ruby is a call that acts as a modifier.
		const calls = field === "method" && role & ROLE.identifier;
		if (!calls && role & ROLE.identifier) continue;
		const word = readNodeText(tree, child);
		// `class A private (x: Int)` in Scala is a public class with a private constructor.
		const { visibility } = compiled.spec;
		const ofConstructor =
			nameNode >= 0 && child > nameNode && visibility !== undefined && readModifier(visibility, word);
		if (!ofConstructor) head.modifiers.add(word);
	}
}

/** Adds decorators after the given one that the grammar did not parse. */
function readHidden(tree: FlatTree, decorator: number, decorators: string[]): void {
	const gap = tree.text.slice(tree.end[decorator], tree.start[tree.until[decorator] ?? 0]).trim();
	if (gap.startsWith("@")) for (const text of gap.split(/\s+(?=@\w)/)) addDecorator(decorators, text);
}

/** `@app.route("/")` → `app.route("/")`, `#[derive(Debug)]` → `derive(Debug)`, `[Key, Column("id")]` → both. */
export function addDecorator(list: string[], text: string): void {
	for (const one of listDecorators(text)) {
		const name = shortenText(one, 100);
		if (name !== "" && !list.includes(name)) list.push(name);
	}
}

/** `extends A<B>, C(d)` → A, C: names without keywords, access, type or value arguments; not Swift's `~Copyable`. */
function ancestors(text: string): string[] {
	return splitAtCommas(
		shortenText(text, 600)
			.replace(/^\s*(?:extends|implements|with|from|:|<|\()\s*/, "")
			.replace(/\)$/, ""),
	)
		.flatMap((part) => part.split(/\s+with\s+|\s+\+\s+|\s&\s/))
		.map((part) =>
			part
				.replace(/^(?:(?:public|private|protected|virtual|implements|extends|for|by)\s+)+/, "")
				.replace(/\s+by\s.*$|[<({[].*$/s, "")
				.trim(),
		)
		.filter((name) => name !== "" && !/^['~*]|=/.test(name));
}
