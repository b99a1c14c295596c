import { type ChunkKind, isFunctionLike } from "../chunk.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import type { Found } from "./found.ts";
import { isLocal, isType, type Scope } from "./scope.ts";

/**
 * The kind of a definition in its scope: a function in a type is a method, and in C++ one with the type's name is a
 * constructor.
 */
export function memberKind(tree: FlatTree, compiled: CompiledSpec, scope: Scope, found: Found): ChunkKind {
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
