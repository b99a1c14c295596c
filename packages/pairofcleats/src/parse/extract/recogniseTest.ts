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
	const titles = group && tests.groupTitles ? [...tests.titles, ...tests.groupTitles] : tests.titles;
	let title = -1;
	let body = -1;
	for (let at = callee + 1; at < last && body < 0; at += 1) {
		const type = tree.type[at] ?? 0;
		if (!compiled.grammar.named[type]) continue;
		const name = compiled.grammar.types[type] ?? "";
		if (title < 0) {
			if (titles.includes(name)) title = at;
		} else if (((compiled.roles[type] ?? 0) & ROLE.lambda) !== 0 || tests.bodies?.includes(name)) body = at;
	}
	if (title < 0 || body < 0) return undefined;
	const name = squeeze(unquote(textOf(tree, title)), MAX_NAME);
	if (name === "") return undefined;
	return { node, kind: "test", name, owner: "", nameNode: title, callable: body, rule: undefined, container: group };
}
