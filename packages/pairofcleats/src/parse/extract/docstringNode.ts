import type { FlatTree } from "../tree/flatTree.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { ROLE } from "./roles.ts";

/** The string at the start of a body, if the language treats it as documentation; else -1. */
export function docstringNode({ type, until }: FlatTree, { spec, grammar, roles }: CompiledSpec, body: number): number {
	if (!spec.docstrings || body < 0) return -1;
	const statement = body + 1;
	if (statement >= (until[body] ?? 0) || ((roles[type[statement] ?? 0] ?? 0) & ROLE.docStatement) === 0) return -1;
	const string = statement + 1;
	return grammar.types[type[string] ?? 0] === spec.docstrings.string ? string : -1;
}
