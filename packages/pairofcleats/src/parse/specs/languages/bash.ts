import { having } from "../readAs.ts";
import type { GrammarSpec } from "../spec.ts";

export const BASH: GrammarSpec = {
	wholeNames: true,
	parameters: [],
	definitions: {
		function_definition: { kind: "function", titled: "test" },
		variable_assignment: { kind: "variable", small: true, requires: "@'='" },
	},
	/** `@test "title" {` of Bats. */
	blanks: [
		/^([ \t]*)@test[ \t]+(?=["'])/gm,
		/** Before a compound command, whose braces the grammar takes for words: `coproc WORKER { cat; }`. */
		having(
			["coproc"],
			/((?:^|[;&|({])[ \t]*)coproc(?:[ \t]+[A-Za-z_]\w*)?(?=[ \t]+(?:[{(]|\[\[|(?:while|until|for|if|case)\b))/gm,
		),
	],
	titles: /^([ \t]*)(["'])((?:\\.|(?!\2)[^\\\n])+)\2[ \t](?=\{)/gm,
	wrappers: ["declaration_command"],
	comments: ["comment"],
	identifiers: ["variable_name", "special_variable_name"],
	nameFields: ["name", "variable"],
	nameParents: ["declaration_command"],
	/** The grammar does not parse the arithmetic of `(( i++ ))`, as it does that of `(( i += 1 ))`. */
	calls: { command: ["name"], test_command: ["@'(('"] },
	assignments: {
		variable_assignment: { left: "name", right: "value" },
		for_statement: { left: "variable" },
		binary_expression: {
			left: "left",
			right: "right",
			operatorName: /^(?:[-+*/%&|^]|<<|>>)?=$/,
			named: /^[A-Za-z_]\w*(?:\[|$)/,
		},
		postfix_expression: { left: "@first", update: true, operators: ["++", "--"] },
		unary_expression: { left: "@first", update: true, operators: ["++", "--"] },
	},
	fills: {
		read: { kind: "words", valued: "dinNptu" },
		mapfile: { kind: "words", valued: "dnOsuCc" },
		readarray: { kind: "words", valued: "dnOsuCc" },
		getopts: { kind: "words", valued: "", from: 1, to: 2 },
		printf: { kind: "option", option: "-v" },
		let: { kind: "arithmetic" },
		"((": { kind: "arithmetic" },
	},
	indexes: ["subscript"],
	returns: ["command:return"],
	breaks: ["command:break"],
	continues: ["command:continue"],
	branches: ["if_statement", "elif_clause", "case_item"],
	loops: ["for_statement", "while_statement", "c_style_for_statement"],
	literals: { string: "string", raw_string: "string", number: "number", array: "array" },
	imports: { "command:source": "argument", "command:. ": "argument" },
};
