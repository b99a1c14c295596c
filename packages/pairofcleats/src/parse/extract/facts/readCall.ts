import type { FillRule } from "../../specs/rules.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import {
	describePlace,
	findLastName,
	lookUpOwn,
	normaliseChain,
	readNodeText,
	stripQuotes,
} from "../../tree/nodeText.ts";
import { type CompiledSpec, readTypeName } from "../spec/compileSpec.ts";
import { findChild } from "../spec/pick.ts";
import { ROLE } from "../spec/roles.ts";
import type { FactSink } from "./factSink.ts";
import { findOperand, isObserved, readCallee, readValueName } from "./names.ts";
import { listRequiredNames } from "./readImport.ts";

export function readCall(tree: FlatTree, compiled: CompiledSpec, node: number, role: number, sink: FactSink): void {
	const callee = readCallee(tree, compiled, node);
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
		for (const [own, full] of listRequiredNames(tree.text.slice(Math.max(0, start - 200), start), module))
			sink.add("meanings", `${own}=${full}`);
	}
	sink.add("calls", name);
	const fill = lookUpOwn(spec.fills, name === "" ? callee : name);
	if (fill) for (const filled of listFilledNames(tree, compiled, node, fill)) sink.add("writes", filled);
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
export function listSymbolArguments(tree: FlatTree, compiled: CompiledSpec, call: number, symbol: string): number[] {
	const list = findChild(tree, call, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "arguments");
	const nodes: number[] = [];
	if (list < 0) return nodes;
	findChild(tree, list, (child) => {
		if (readTypeName(tree, compiled, child) === symbol) nodes.push(child);
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
	const name = list < 0 ? "" : readValueName(tree, compiled, findOperand(tree, compiled, list));
	// A text that Rust converts has no name: `Err("no such file".into())`.
	return name.replace(/\.new$|(?:^|\bformat\.|\.)into$/, "");
}

const NAME = /^[A-Za-z_]\w*$/;

/** `n` of `n=1`, `n += 1`, `n++` and `--n`. */
const ASSIGNED =
	/(?:\+\+|--)[ \t]*([A-Za-z_]\w*)|(?<![\w$])([A-Za-z_]\w*)[ \t]*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))/g;

/** The variables that a command is given by name to put values into: `a` and `b` of Bash's `read -r a b`. */
function listFilledNames(tree: FlatTree, compiled: CompiledSpec, command: number, rule: FillRule): string[] {
	switch (rule.kind) {
		case "arithmetic":
			return [...readNodeText(tree, command).matchAll(ASSIGNED)].map(([, before, after]) => before ?? after ?? "");
		case "option": {
			const words = wordsOf(tree, compiled, command);
			const name = words[words.indexOf(rule.option) + 1];
			return words.includes(rule.option) && name !== undefined ? [stripQuotes(name)].filter(isName) : [];
		}
		case "words":
			return withoutOptions(wordsOf(tree, compiled, command), rule.valued)
				.slice(rule.from, rule.to)
				.filter(isName);
	}
}

function wordsOf(tree: FlatTree, { grammar }: CompiledSpec, command: number): string[] {
	const words: string[] = [];
	findChild(tree, command, (child) => {
		if (grammar.fields[tree.field[child] ?? 0] === "argument") words.push(readNodeText(tree, child));
		return false;
	});
	return words;
}

/** The words that are neither options nor the values of those that take one. */
function withoutOptions(words: readonly string[], valued: string): string[] {
	const left: string[] = [];
	for (let at = 0; at < words.length; at += 1) {
		const word = words[at] ?? "";
		if (!word.startsWith("-")) left.push(word);
		else if (valued.includes(word.at(-1) ?? "-")) at += 1;
	}
	return left;
}

function isName(word: string): boolean {
	return NAME.test(word);
}
