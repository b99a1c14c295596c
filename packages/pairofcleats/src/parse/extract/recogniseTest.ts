import type { FlatTree } from "../tree/flatTree.ts";
import { squeeze, textOf, unquote } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { MAX_NAME } from "./factSink.ts";
import type { Found } from "./recogniseDefinition.ts";
import { ROLE } from "./roles.ts";

/** `describe("title", () => …)`: a call of a known name with a title and a function. */
export function recogniseTest(tree: FlatTree, compiled: CompiledSpec, node: number): Found | undefined {
	const tests = compiled.spec.testCalls;
	const spans = compiled.spans.get(tree.type[node] ?? 0);
	if (!tests || !spans || compiled.grammar.types[tree.type[node] ?? 0] !== tests.call) return undefined;
	const callee = spans.at(-1)?.(tree, node) ?? -1;
	if (callee < 0 || (tree.end[callee] ?? 0) - (tree.start[callee] ?? 0) > 40) return undefined;
	const called = textOf(tree, callee).split(/[.(]/, 1)[0] ?? "";
	const group = tests.groups.includes(called);
	if (!group && !tests.cases.includes(called)) return undefined;
	const last = tree.until[node] ?? 0;
	let title = -1;
	let body = -1;
	for (let at = callee + 1; at < last && body < 0; at += 1) {
		const type = tree.type[at] ?? 0;
		if (title < 0) {
			if (isTitle(compiled, type, group)) title = at;
		} else if (((compiled.roles[type] ?? 0) & ROLE.lambda) !== 0 || isBody(compiled, type)) body = at;
	}
	if (title < 0 || body < 0) return undefined;
	const name = squeeze(unquote(textOf(tree, title)), MAX_NAME);
	if (name === "") return undefined;
	return { node, kind: "test", name, owner: "", nameNode: title, callable: body, rule: undefined, container: group };
}

/** A string; a group may be named by the class it is about. */
function isTitle(compiled: CompiledSpec, type: number, group: boolean): boolean {
	if (!compiled.grammar.named[type]) return false;
	return (
		/string/.test(compiled.grammar.types[type] ?? "") ||
		(group && /^(?:constant|scope_resolution)$/.test(compiled.grammar.types[type] ?? ""))
	);
}

function isBody(compiled: CompiledSpec, type: number): boolean {
	return compiled.spec.testCalls?.bodies?.includes(compiled.grammar.types[type] ?? "") ?? false;
}
