import type { GrammarSpec } from "../spec.ts";

export const ZIG: GrammarSpec = {
	definitions: {
		function_declaration: { kind: "function", result: "type" },
		variable_declaration: {
			kind: {
				byChild: {
					struct_declaration: "struct",
					enum_declaration: "enum",
					union_declaration: "struct",
					"'const'": "constant",
				},
				otherwise: "variable",
			},
			name: "@identifier",
			small: true,
			container: true,
		},
		container_field: { kind: "property", small: true, member: true },
		test_declaration: { kind: "test", name: "@string" },
	},
	comments: ["comment"],
	bodies: ["struct_declaration", "enum_declaration", "union_declaration", "block"],
	parameters: ["parameters"],
	visibility: { unmarked: "private", keywords: { pub: "public" } },
	exported: "public",
	identifiers: ["identifier"],
	nameFields: ["name", "member"],
	paths: ["field_expression"],
	calls: { call_expression: ["function"] },
	returns: ["return_expression"],
	branches: ["if_statement", "if_expression", "switch_case"],
	loops: ["for_statement", "while_statement"],
	breaks: ["break_expression"],
	continues: ["continue_expression"],
	imports: { "builtin_function:@import": "@arguments/@string/@string_content" },
};
