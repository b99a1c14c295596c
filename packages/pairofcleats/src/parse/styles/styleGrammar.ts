import type { FlatTree } from "../tree/flatTree.ts";
import type { Grammar } from "../tree/grammar.ts";
import { TreeTooLarge } from "../tree/treeBuilder.ts";
import { MAX_TEXT } from "../tree/treeLimits.ts";
import { TYPES } from "./styleNodes.ts";
import { type StyleDialect, StyleParser } from "./styleParser.ts";

/**
 * A hand-written parser for SCSS and Less. Statement boundaries are easy to find, while a tree-sitter grammar has to
 * know every kind of value and selector, and loses everything after one it does not know.
 */
export function styleGrammar(dialect: StyleDialect): Grammar {
	return {
		types: TYPES,
		named: TYPES.map(() => true),
		fields: [null],
		parse: (text) => (text.length > MAX_TEXT ? undefined : parseStyles(text, dialect)),
	};
}

function parseStyles(text: string, dialect: StyleDialect): FlatTree | undefined {
	try {
		return new StyleParser(text, dialect).parse();
	} catch (error) {
		if (error instanceof TreeTooLarge) return undefined;
		throw error;
	}
}
