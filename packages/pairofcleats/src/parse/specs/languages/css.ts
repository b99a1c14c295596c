import { blank, nameLike, word } from "../readAs.ts";
import type { GrammarSpec } from "../spec.ts";

export const CSS: GrammarSpec = {
	parameters: [],
	definitions: {
		rule_set: { kind: "rule", name: "@selectors", small: true, member: true },
		media_statement: { kind: "rule", name: "@first", container: true },
		supports_statement: { kind: "rule", name: "@first", container: true },
		keyframes_statement: { kind: "rule", name: "@keyframes_name" },
		at_rule: { kind: "rule", name: "@keyword_query|@feature_query|@at_keyword", container: true, requires: "@block" },
		declaration: { kind: "property", name: "@property_name", named: /^--/, small: true, member: true },
	},
	/** Newer than the grammar, or unknown to it: `url(../a.svg)`, `(1px <= width < 9px)`, `@container name (…)`, `[a="b" i]`. */
	readAs: [
		{ words: ["url("], at: /(?<=\burl\(\s{0,80})[^\s"'()]+(?=\s{0,80}\))/g, as: nameLike },
		{
			words: ["@import"],
			at: /\b(?:layer(?:\([\w.-]*\))?|supports\((?:[^()]|\([^()]*\)){0,200}\))(?<=@import\s[^;{}]{1,400})/g,
			as: blank,
		},
		{ words: ["@container"], at: /(?<=@container\s{1,80})(?!(?:not|style)\b)[\w-]+(?=\s{1,80}[(a-z])/g, as: blank },
		{
			words: ["@media", "@container"],
			at: /(?<=\(\s{0,80})-?\d[\w.]*\s{0,80}[<>]=?(?=[^{};]{1,400}\{)(?<=@(?:media|container)\b[^{};]{0,400})/g,
			as: blank,
		},
		{
			words: ["@media", "@container"],
			at: /[<>]=?(?=[^{};]{1,400}\{)(?<=@(?:media|container)\b[^{};]{0,400})/g,
			as: word(":"),
		},
		{ words: ['" i]', "' i]", '" s]', "' s]"], at: /(?<=["']\s{1,80})[is](?=\])/gi, as: blank },
	],
	comments: ["comment"],
	bodies: ["block", "keyframe_block_list"],
	identifiers: [],
	calls: { call_expression: ["@function_name"] },
	imports: { import_statement: "@first" },
};

/** What SCSS and Less have in common; their trees come from `loadStyleGrammar`. */
const SHEET: GrammarSpec = {
	definitions: {
		rule_set: { kind: "rule", name: "@selectors", small: true, member: true },
		media_statement: { kind: "rule", name: "@query", container: true },
		supports_statement: { kind: "rule", name: "@query", container: true },
		keyframes_statement: { kind: "rule", name: "@keyframes_name" },
		mixin_statement: { kind: "function", name: "@name" },
		declaration: { kind: "variable", name: "@variable_name", small: true },
		custom_property: { kind: "property", name: "@property_name", small: true, member: true },
	},
	comments: ["comment"],
	bodies: ["block"],
	parameters: ["parameters"],
	identifiers: ["variable_name", "variable_value"],
	calls: { call_expression: ["@function_name"], include_statement: ["@identifier"] },
	imports: { import_statement: "@string_value" },
};

export const LESS: GrammarSpec = SHEET;

export const SCSS: GrammarSpec = {
	...SHEET,
	definitions: {
		...SHEET.definitions,
		placeholder: { kind: "rule", name: "@name" },
		function_statement: { kind: "function", name: "@name" },
	},
	returns: ["return_statement"],
	branches: ["if_statement"],
	loops: ["for_statement", "each_statement", "while_statement"],
};
