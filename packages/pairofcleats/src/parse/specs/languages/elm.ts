import type { GrammarSpec } from "../spec.ts";

export const ELM: GrammarSpec = {
	parameters: [],
	definitions: {
		module_declaration: { kind: "module", small: true },
		type_alias_declaration: { kind: "type" },
		type_declaration: { kind: "type" },
		union_variant: { kind: "property", small: true, member: true },
		field_type: { kind: "property", small: true, member: true },
		port_annotation: { kind: "function" },
		type_annotation: { kind: "function", tail: "value_declaration", tailRepeats: true },
		value_declaration: { kind: "function", name: "functionDeclarationLeft/@lower_case_identifier" },
	},
	comments: ["line_comment", "block_comment"],
	identifiers: ["lower_case_identifier"],
	typeIdentifiers: ["upper_case_identifier"],
	calls: { function_call_expr: ["target"] },
	lambdas: ["anonymous_function_expr"],
	branches: ["if_else_expr", "case_of_branch"],
	imports: { import_clause: "moduleName" },
};
