import type { ChunkKind } from "../../chunk.ts";
import type { Visibility, VisibilityRule } from "../../specs/rules.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import { lookUpOwn, readNodeText } from "../../tree/nodeText.ts";
import { type CompiledRule, type CompiledSpec, readRoles, readTypeName } from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";
import { ROLE } from "../spec/roles.ts";

/** The visibility of a definition by its modifiers, its name, or its section. */
export function findVisibility(
	compiled: CompiledSpec,
	found: Found,
	modifiers: ReadonlySet<string>,
	section: Visibility | undefined,
): Visibility | undefined {
	const rule = compiled.spec.visibility;
	if (!rule) return undefined;
	if (found.name.startsWith("#") && found.kind !== "test") return "private";
	for (const word of modifiers) {
		const visibility = readModifier(rule, word);
		if (visibility) return visibility;
	}
	if (section === undefined) {
		if (rule.declared && found.owner !== "") return undefined;
		for (const word of modifiers) {
			const visibility = lookUpOwn(rule.outsideTypes, word);
			if (visibility) return visibility;
		}
	}
	if (rule.byName === "capital") return /^\p{Lu}/u.test(found.name) ? "public" : rule.unmarked;
	if (rule.byName === "underscore") {
		if (/^__.*[^_]_?$/.test(found.name)) return "private";
		if (found.name.startsWith("_") && !found.name.startsWith("__")) return "protected";
	}
	return section ?? rule.unmarked;
}

/** What a modifier says: `pub(in some::path)` is looked up as `pub()`, `private[this]` as `private[]`. */
export function readModifier({ keywords }: VisibilityRule, word: string): Visibility | undefined {
	return keywords && (lookUpOwn(keywords, word) ?? lookUpOwn(keywords, word.replace(/([([]).*([)\]])$/, "$1$2")));
}

export function isExported(
	compiled: CompiledSpec,
	tree: FlatTree,
	wrapper: number,
	found: Found,
	visibility: Visibility | undefined,
): boolean {
	const rule = compiled.spec.exported;
	if (rule === undefined || found.kind === "test") return false;
	if (isKeptInUnit(tree, compiled, found.node)) return false;
	// What is defined outside its type can be linked, whatever the declaration says.
	if (rule === "public") return visibility === "public" || (visibility === undefined && found.owner !== "");
	for (let at = found.node; at >= wrapper && at >= 0; at = tree.parent[at] ?? -1) {
		if (readTypeName(tree, compiled, at) === rule.wrapper) return true;
	}
	return /^(?:module\.)?exports\b/.test(readNodeText(tree, found.nameNode));
}

const units = new WeakMap<FlatTree, boolean>();

/** Whether a definition of a C++ module is not exported by it. */
function isKeptInUnit(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const { exportedIn } = compiled.spec;
	if (!exportedIn) return false;
	const isOf =
		(type: string) =>
		(at: number): boolean =>
			readTypeName(tree, compiled, at) === type;
	let isUnit = units.get(tree);
	if (isUnit === undefined) {
		isUnit = findChild(tree, 0, isOf(exportedIn.unit)) >= 0;
		units.set(tree, isUnit);
	}
	if (!isUnit) return false;
	for (let at = node; at > 0; at = tree.parent[at] ?? 0) if (isOf(exportedIn.wrapper)(at)) return false;
	return true;
}

/** The nodes around a definition that belong to it: `export`, `const`, decorators. */
export type Wrapping = {
	/** The node whose modifiers apply to the definition. */
	readonly around: number;
	/** The nodes in which the definition begins and ends. */
	readonly from: number;
	readonly to: number;
	/** Whether one declaration has several names: `const ( A = iota; B )`. */
	readonly group: boolean;
};

/** The outermost wrapper around a node, or the node itself. */
export function findWrapper(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	let outer = node;
	for (let at = tree.parent[node] ?? -1; at > 0; at = tree.parent[at] ?? -1) {
		if ((readRoles(tree, compiled, at) & ROLE.wrapper) === 0) break;
		outer = at;
	}
	return outer;
}

/**
 * The range of a definition. A wrapper around one definition is its range. In a wrapper around several, small ones
 * share the range of the first; each other one has its own range, and the first also has the words before it.
 */
export function findWrapping(tree: FlatTree, compiled: CompiledSpec, { node, rule, callable }: Found): Wrapping {
	const around = findWrapper(tree, compiled, node);
	if (around === node) return { around, from: node, to: node, group: false };
	const siblings = definitionsBeside(tree, compiled, node);
	if (siblings.length < 2) return { around, from: around, to: around, group: false };
	const first = siblings[0] === node;
	if (rule?.small && callable === node) {
		return first ? { around, from: around, to: around, group: true } : { around, from: node, to: node, group: true };
	}
	const opens = first && !tree.text.slice(tree.start[around], tree.start[node]).includes("\n");
	return { around, from: opens ? around : node, to: node, group: true };
}

function definitionsBeside(tree: FlatTree, compiled: CompiledSpec, node: number): number[] {
	const found: number[] = [];
	findChild(tree, tree.parent[node] ?? 0, (child) => {
		if (readRoles(tree, compiled, child) & ROLE.definition) found.push(child);
		return found.length > 1 && child > node;
	});
	return found;
}

/** A node that declares something and may become a chunk. */
export type Found = {
	readonly node: number;
	readonly kind: ChunkKind;
	readonly name: string;
	/** The owner that the source writes before the name: `Foo` of `Foo::bar`, a Go receiver. */
	readonly owner: string;
	readonly nameNode: number;
	/** The node that has the parameters and the body: the definition, or the function that is its value. */
	readonly callable: number;
	readonly rule: CompiledRule | undefined;
	readonly container: boolean;
};
