import { type ChunkKind, isFunctionLike } from "../../chunk.ts";
import type { LineIndex } from "../../chunkLines.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import { readNodeText, shortenText } from "../../tree/nodeText.ts";
import type { Found } from "../definitions/visibility.ts";
import { MAX_NAME } from "../facts/factSink.ts";
import { type CompiledSpec, hasFirstWord, readTypeName } from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";
import { ROLE } from "../spec/roles.ts";
import { isLocal, isType, type Scope } from "./scope.ts";

/** The last line with text: some grammars end a node only at the start of the next line. */
export function findLastLine({ text }: FlatTree, lines: LineIndex, start: number, end: number): number {
	let last = end - 1;
	while (last > start && text.charCodeAt(last) <= 32) last -= 1;
	return lines.lineAt(Math.max(start, last));
}

/** The line that opens a container's body. A member may begin on any line after it. */
export function findHeadLine(tree: FlatTree, { roles }: CompiledSpec, lines: LineIndex, scope: Scope): number {
	if (scope.body < 0) return scope.startLine;
	let end = tree.start[scope.found?.callable ?? 0] ?? 0;
	findChild(tree, tree.parent[scope.body] ?? 0, (child) => {
		if (child >= scope.body) return true;
		if (((roles[tree.type[child] ?? 0] ?? 0) & ROLE.comment) === 0) end = tree.end[child] ?? end;
		return false;
	});
	return lines.lineAt(Math.max(0, end - 1));
}

/** The last node of the definition: the definition itself, or a later sibling that belongs to it. */
export function findLastNode(tree: FlatTree, compiled: CompiledSpec, { rule, name }: Found, outer: number): number {
	let last = outer;
	if (rule?.goesOn && compiled.pickBody(tree, outer) < 0) return lastBeforeNext(tree, outer);
	for (let next = tree.until[last] ?? 0; next < tree.count; next = tree.until[next] ?? tree.count) {
		if (tree.parent[next] !== tree.parent[outer] || !rule?.tail?.has(tree.type[next] ?? 0)) break;
		if (rule.tailRepeats && !isEquationOf(tree, compiled, next, name)) break;
		last = next;
		if (!rule.tailRepeats) break;
	}
	return last;
}

/** The last sibling before the next node of the same type. */
function lastBeforeNext(tree: FlatTree, node: number): number {
	let last = node;
	for (let next = tree.until[last] ?? 0; next < tree.count; next = tree.until[next] ?? tree.count) {
		if (tree.parent[next] !== tree.parent[node] || tree.type[next] === tree.type[node]) break;
		last = next;
	}
	return last;
}

/** Whether a node is another equation of a function: `add x y = …`, `x <+> y = …` and ``x `op` y = …``. */
function isEquationOf(tree: FlatTree, { rules }: CompiledSpec, node: number, name: string): boolean {
	if (hasFirstWord(tree, node, name)) return true;
	const at = rules.get(tree.type[node] ?? 0)?.pickName(tree, node) ?? -1;
	return at >= 0 && readNodeText(tree, at).replaceAll("`", "") === name.replace(/^\(|\)$/g, "");
}

/** Whether a sibling is already part of the definition. */
export function isTail(tree: FlatTree, found: Found | undefined, node: number): boolean {
	return found?.rule?.tailRepeats === true && node !== found.node && tree.parent[node] === tree.parent[found.node];
}

/**
 * The kind of a definition in its scope: a function in a type is a method, and in C++ one with the type's name is a
 * constructor.
 */
export function findMemberKind(tree: FlatTree, compiled: CompiledSpec, scope: Scope, found: Found): ChunkKind {
	const { kind, name, owner } = found;
	const type = isType(scope) ? scope.found?.name : localTypeOf(tree, compiled, scope, found);
	if (kind === "property" || kind === "variable") return type === undefined ? "variable" : "property";
	if (kind !== "function" && kind !== "method") return kind;
	const ownersAreTypes = compiled.spec.visibility?.sections !== undefined;
	if (!ownersAreTypes) return type === undefined ? kind : "method";
	const of = owner === "" ? type : owner.split(".").at(-1);
	if (of === undefined) return kind;
	return of === name ? "constructor" : "method";
}

/** The type around a function, if the type itself is local to a function and so has no scope of its own. */
function localTypeOf(tree: FlatTree, compiled: CompiledSpec, scope: Scope, { node, kind }: Found): string | undefined {
	if (kind !== "function" || !isLocal(scope)) return undefined;
	const { type, parent } = tree;
	for (let at = parent[node] ?? 0; at > (scope.found?.node ?? 0); at = parent[at] ?? 0) {
		const rule = compiled.rules.get(type[at] ?? 0);
		if (rule && typeof rule.kind === "string" && isFunctionLike(rule.kind)) return undefined;
		if (rule?.container) return readNodeText(tree, rule.pickName(tree, at));
	}
	return undefined;
}

const MOST_ANCESTORS = 100;

/** Adds what a statement in a container names as ancestors: `A` and `B` of Perl's `use parent qw(A B);`. */
export function addAncestors(tree: FlatTree, after: RegExp, { header }: Scope, statement: number): void {
	if (!header || header.ancestors.length >= MOST_ANCESTORS) return;
	const text = shortenText(readNodeText(tree, statement), 600);
	const names = after.test(text) ? (text.replace(after, "").match(/(?<![$\w:])[A-Za-z_][\w:]*/g) ?? []) : [];
	header.ancestors.push(...names.filter((name) => !header.ancestors.includes(name)));
}

/** Adds the arguments of a call right in a container: `Comparable` of Ruby's `include Comparable`. */
export function addMixins(tree: FlatTree, compiled: CompiledSpec, { header, body }: Scope, call: number): void {
	if (!header || tree.parent[call] !== body) return;
	const list = findChild(tree, call, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "arguments");
	if (list < 0) return;
	findChild(tree, list, (child) => {
		const name = compiled.spec.mixins?.includes(readTypeName(tree, compiled, child)) ? readNodeText(tree, child) : "";
		if (name !== "" && name.length <= MAX_NAME && !header.ancestors.includes(name)) header.ancestors.push(name);
		return header.ancestors.length >= MOST_ANCESTORS;
	});
}
