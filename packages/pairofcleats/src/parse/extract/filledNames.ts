import type { FillRule } from "../specs/spec.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { textOf, unquote } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { findChild } from "./pick.ts";

const NAME = /^[A-Za-z_]\w*$/;

/** `n` of `n=1`, `n += 1`, `n++` and `--n`. */
const ASSIGNED =
	/(?:\+\+|--)[ \t]*([A-Za-z_]\w*)|(?<![\w$])([A-Za-z_]\w*)[ \t]*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))/g;

/** The variables that a command is given by name to put values into: `a` and `b` of Bash's `read -r a b`. */
export function filledNames(tree: FlatTree, compiled: CompiledSpec, command: number, rule: FillRule): string[] {
	if (rule.arithmetic)
		return [...textOf(tree, command).matchAll(ASSIGNED)].map(([, before, after]) => before ?? after ?? "");
	const words: string[] = [];
	findChild(tree, command, (child) => {
		if (compiled.grammar.fields[tree.field[child] ?? 0] === "argument") words.push(textOf(tree, child));
		return false;
	});
	const named: string[] = [];
	for (let at = 0; at < words.length; at += 1) {
		const word = words[at] ?? "";
		if (!word.startsWith("-")) named.push(word);
		else if (word === rule.option) return [words[at + 1] ?? ""].map(unquote).filter((name) => NAME.test(name));
		else if (rule.valued.includes(word.at(-1) ?? "-")) at += 1;
	}
	return named.slice(rule.from, rule.to).filter((name) => NAME.test(name));
}
