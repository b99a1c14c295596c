import type { FlatTree } from "../tree/flatTree.ts";
import { describePlace, findLastName, lookUpOwn, normaliseChain, readNodeText, stripQuotes } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import type { FactSink } from "./factSink.ts";
import { filledNames } from "./filledNames.ts";
import { requiredNames } from "./importedNames.ts";
import { calleeText, operand, valueName } from "./names.ts";
import { typeName } from "./nodeType.ts";
import { isObserved } from "./observers.ts";
import { findChild } from "./pick.ts";
import { ROLE } from "./roles.ts";

export function readCall(tree: FlatTree, compiled: CompiledSpec, node: number, role: number, sink: FactSink): void {
	const callee = calleeText(tree, compiled, node);
	const { spec } = compiled;
	if (callee === "" || spec.observers?.includes(callee) || isObserved(tree, compiled, node)) return;
	const start = tree.start[node] ?? 0;
	if (spec.attributeMark !== undefined && tree.text[start - 1] === spec.attributeMark) return;
	const name = spec.wholeNames ? commandName(callee) : findLastName(callee);
	const chain = normaliseChain(callee);
	// In JSX, `<button>` is an HTML element and `<Button>` is a component.
	if (tree.text[start] === "<" && callee[0] !== "<" && /^[a-z]/.test(name)) return;
	if (spec.memberCalls?.test(callee) && start + callee.length === tree.end[node] && callee !== name) {
		sink.add("members", name);
		return;
	}
	if (spec.importCalls?.includes(chain ?? name)) {
		const named = spec.importsByName ? firstArgumentName(tree, compiled, node) : "";
		const module = firstString(tree, compiled, node) || named;
		if (module !== "") sink.add("imports", module);
		for (const [own, full] of requiredNames(tree.text.slice(Math.max(0, start - 200), start), module))
			sink.add("meanings", `${own}=${full}`);
	}
	sink.add("calls", name);
	const fill = lookUpOwn(spec.fills, name === "" ? callee : name);
	if (fill) for (const filled of filledNames(tree, compiled, node, fill)) sink.add("writes", filled);
	// An operator, as in Scala's `a * b`, is a chain without a letter.
	if (chain !== undefined && chain !== name && (name !== "" || /\w/.test(chain))) sink.add("calls", chain);
	if (role & ROLE.construct) sink.add("uses", name);
	if (spec.throwCalls?.includes(chain ?? name)) sink.add("throws", firstArgumentName(tree, compiled, node));
	if (chain !== name && spec.mutators?.includes(name) && !spec.copiers?.includes(chain ?? "")) {
		sink.add(
			"mutates",
			describePlace(
				callee
					.slice(0, callee.length - name.length)
					.replace(/[?!&]?(?:\.|->|::)\s*$/, "")
					.trim(),
			),
		);
	}
}

/** `apt-get` of `/usr/bin/apt-get`. */
function commandName(callee: string): string {
	return /(?:^|\/)([\w.:-]+)$/.exec(callee)?.[1] ?? "";
}

/** The nodes of a call's symbol arguments, such as `:a, :b` in Ruby. */
export function symbolArguments(tree: FlatTree, compiled: CompiledSpec, call: number, symbol: string): number[] {
	const list = findChild(tree, call, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "arguments");
	const nodes: number[] = [];
	if (list < 0) return nodes;
	findChild(tree, list, (child) => {
		if (typeName(tree, compiled, child) === symbol) nodes.push(child);
		return false;
	});
	return nodes;
}

function firstString(tree: FlatTree, compiled: CompiledSpec, call: number): string {
	const end = Math.min(tree.until[call] ?? 0, call + 12);
	for (let at = call + 1; at < end; at += 1) {
		const type = tree.type[at] ?? 0;
		if ((compiled.grammar.named[type] ?? false) && /string/.test(compiled.grammar.types[type] ?? ""))
			return stripQuotes(readNodeText(tree, at));
	}
	return "";
}

function firstArgumentName(tree: FlatTree, compiled: CompiledSpec, call: number): string {
	const list = findChild(tree, call, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "arguments");
	const name = list < 0 ? "" : valueName(tree, compiled, operand(tree, compiled, list));
	// A text that Rust converts has no name: `Err("no such file".into())`.
	return name.replace(/\.new$|(?:^|\bformat\.|\.)into$/, "");
}
