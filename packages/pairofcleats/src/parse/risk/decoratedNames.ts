import type { CompiledSpec } from "../extract/compileSpec.ts";
import { ROLE } from "../extract/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";

/** Most levels between a parameter list and a decorator in it. */
const DEEPEST_DECORATOR = 4;
const NOT_THE_NAME: ReadonlySet<string> = new Set(["type", "value", "default_value"]);

/**
 * The names introduced by a decorated parameter: `query` of `@RequestParam("q") String query`; empty for other
 * decorators.
 */
export function decoratedNames(tree: FlatTree, compiled: CompiledSpec, decorator: number): number[] {
	const { types, fields } = compiled.grammar;
	const list = parameterList(tree, compiled, decorator);
	const end = tree.until[list] ?? 0;
	const names: number[] = [];
	for (let node = tree.until[decorator] ?? end; list >= 0 && node < end; ) {
		const type = tree.type[node] ?? 0;
		const role = compiled.roles[type] ?? 0;
		const ends = types[type] === "=" || (types[type] === "," && tree.parent[node] === list);
		if (ends) break;
		if (role & ROLE.identifier) names.push(node);
		const skips = role & ROLE.decorator || NOT_THE_NAME.has(fields[tree.field[node] ?? 0] ?? "");
		node = skips ? (tree.until[node] ?? end) : node + 1;
	}
	return names;
}

function parameterList(tree: FlatTree, compiled: CompiledSpec, decorator: number): number {
	let at = tree.parent[decorator] ?? -1;
	for (let steps = 0; at > 0 && steps < DEEPEST_DECORATOR; steps += 1) {
		const isList = ((compiled.roles[tree.type[at] ?? 0] ?? 0) & ROLE.parameters) !== 0;
		if (isList || compiled.grammar.fields[tree.field[at] ?? 0] === "parameters") return at;
		at = tree.parent[at] ?? -1;
	}
	return -1;
}
