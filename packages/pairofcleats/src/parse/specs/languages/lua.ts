import type { GrammarSpec } from "../spec.ts";

export const LUA: GrammarSpec = {
	definitions: {
		function_declaration: { kind: "function" },
		assignment_statement: {
			kind: "variable",
			name: "@variable_list",
			small: true,
			value: { field: "@expression_list", kinds: { function_definition: "function" } },
		},
		field: { kind: "function", value: { field: "value", kinds: { function_definition: "function" }, only: true } },
	},
	wrappers: ["variable_declaration"],
	comments: ["comment"],
	identifiers: ["identifier"],
	nameFields: ["name", "field", "method"],
	nameParents: ["attribute", "goto_statement", "label_statement"],
	calls: { function_call: ["name"] },
	lambdas: ["function_definition"],
	valueLists: ["expression_list"],
	assignments: { assignment_statement: { left: "@variable_list", right: "@expression_list" } },
	members: ["dot_index_expression"],
	indexes: ["bracket_index_expression"],
	returns: ["return_statement"],
	branches: ["if_statement", "elseif_statement"],
	loops: ["for_statement", "while_statement", "repeat_statement"],
	breaks: ["break_statement"],
	literals: { string: "string", number: "number", true: "boolean", false: "boolean", table_constructor: "table" },
	importCalls: ["require", "dofile", "loadfile"],
};
