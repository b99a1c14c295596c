import type { GrammarSpec } from "../spec.ts";

export const PERL: GrammarSpec = {
	definitions: {
		function_definition: { kind: "function" },
		package_statement: { kind: "module", name: "@package_name", container: true, goesOn: true },
		use_constant_statement: { kind: "constant", name: "constant", small: true },
		/** `use constant { LIMIT => 3, NAME => "x" }`. */
		call_expression_with_args_with_brackets: {
			kind: "constant",
			name: "@call_expression_with_bareword/function_name",
			small: true,
			before: "fat_comma",
			within: "@'constant'",
		},
		variable_declaration: { kind: "variable", name: "variable_name", small: true },
	},
	/** Prototypes: `sub max($$) {`. */
	blanks: [/(\bsub[ \t]+[\w:]+)[ \t]*\([$@%&*;\\[\]+_ \t]*\)/g],
	hereDocuments: true,
	comments: ["comments", "pod_statement"],
	extends: [
		"use_parent_statement",
		"use_no_statement:use base",
		"binary_expression:our @ISA",
		"binary_expression:@ISA",
	],
	ancestorsAfter: /^(?:use\s+(?:parent|base)\b(?:\s+-norequire\s*,)?|(?:our\s+)?@ISA\s*=)\s*(?:qw\b)?/,
	parameters: ["function_signature"],
	visibility: { unmarked: "public", byName: "underscore" },
	exported: "public",
	identifiers: ["scalar_variable", "array_variable", "hash_variable"],
	sigil: "$",
	calls: {
		call_expression_with_bareword: ["package_name", "function_name"],
		method_invocation: ["object_return_value", "function_name"],
	},
	throwCalls: ["die", "croak", "confess"],
	returns: ["return_expression"],
	branches: ["if_statement", "elsif_clause", "unless_statement", "if_simple_statement", "unless_simple_statement"],
	loops: ["for_statement_1", "for_statement_2", "while_statement", "until_statement"],
	imports: {
		"use_no_statement:use base": "@string_single_quoted|@string_double_quoted|@word_list_qw",
		use_no_statement: "package_name",
		use_parent_statement: "@string_single_quoted|@string_double_quoted|@word_list_qw",
	},
	importCalls: ["require"],
};
