import type { FillRule } from "../specs/rules.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText, stripQuotes } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { findChild } from "./pick.ts";

const NAME = /^[A-Za-z_]\w*$/;

/** `n` of `n=1`, `n += 1`, `n++` and `--n`. */
const ASSIGNED =
	/(?:\+\+|--)[ \t]*([A-Za-z_]\w*)|(?<![\w$])([A-Za-z_]\w*)[ \t]*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))/g;

/** The variables that a command is given by name to put values into: `a` and `b` of Bash's `read -r a b`. */
export function filledNames(tree: FlatTree, compiled: CompiledSpec, command: number, rule: FillRule): string[] {
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
