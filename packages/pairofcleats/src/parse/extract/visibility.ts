import type { Visibility, VisibilityRule } from "../specs/rules.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { lookUpOwn, readNodeText } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import type { Found } from "./found.ts";
import { typeName } from "./nodeType.ts";
import { findChild } from "./pick.ts";

/** The visibility of a definition by its modifiers, its name, or its section. */
export function visibilityOf(
	compiled: CompiledSpec,
	found: Found,
	modifiers: ReadonlySet<string>,
	section: Visibility | undefined,
): Visibility | undefined {
	const rule = compiled.spec.visibility;
	if (!rule) return undefined;
	if (found.name.startsWith("#") && found.kind !== "test") return "private";
	for (const word of modifiers) {
		const visibility = toldBy(rule, word);
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
export function toldBy({ keywords }: VisibilityRule, word: string): Visibility | undefined {
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
		if (typeName(tree, compiled, at) === rule.wrapper) return true;
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
			typeName(tree, compiled, at) === type;
	let isUnit = units.get(tree);
	if (isUnit === undefined) {
		isUnit = findChild(tree, 0, isOf(exportedIn.unit)) >= 0;
		units.set(tree, isUnit);
	}
	if (!isUnit) return false;
	for (let at = node; at > 0; at = tree.parent[at] ?? 0) if (isOf(exportedIn.wrapper)(at)) return false;
	return true;
}
