import { classHead } from "../readAs.ts";
import type { GrammarSpec } from "../spec.ts";

export const DART: GrammarSpec = {
	definitions: {
		class_definition: { kind: "class", container: true },
		mixin_declaration: { kind: "trait", name: "@identifier", container: true },
		extension_declaration: { kind: "impl", container: true },
		enum_declaration: { kind: "enum" },
		enum_constant: { kind: "property", small: true },
		function_signature: { kind: "function", tail: "function_body" },
		constructor_signature: { kind: "constructor", name: "@before formal_parameter_list", tail: "function_body" },
		constant_constructor_signature: {
			kind: "constructor",
			name: "@before formal_parameter_list",
			tail: "function_body",
		},
		factory_constructor_signature: {
			kind: "constructor",
			name: "@before formal_parameter_list",
			tail: "function_body",
		},
		redirecting_factory_constructor_signature: { kind: "constructor", name: "@before formal_parameter_list" },
		operator_signature: { kind: "method", name: "@binary_operator|@'[]'|@'[]='|@'~'", tail: "function_body" },
		getter_signature: { kind: "method", tail: "function_body" },
		setter_signature: { kind: "method", tail: "function_body" },
		type_alias: { kind: "type", name: "@before formal_parameter_list|@type_identifier" },
		static_final_declaration: { kind: "constant", name: "@identifier", small: true },
		initialized_identifier: { kind: "property", name: "@identifier", small: true },
	},
	/** Shows the grammar a class with one field in place of an extension type. */
	readAs: [
		{ at: /^extension[ \t]+type[ \t]+(?:const[ \t]+)?\w+(?:<[^()\n]{0,200}>)?(?:\.\w+)?\([^()]*\)/gm, as: classHead },
	],
	wrappers: ["method_signature"],
	comments: ["comment", "documentation_comment"],
	decorators: ["annotation"],
	visibility: { unmarked: "public", byName: "underscore" },
	exported: "public",
	extends: ["superclass"],
	implements: ["interfaces"],
	parameters: ["formal_parameter_list"],
	identifiers: ["identifier"],
	typeIdentifiers: ["type_identifier"],
	nameFields: ["name"],
	returns: ["return_statement"],
	branches: ["if_statement", "catch_clause", "conditional_expression"],
	loops: ["for_statement", "while_statement", "do_statement"],
	breaks: ["break_statement"],
	continues: ["continue_statement"],
	imports: { import_specification: "@configurable_uri" },
};
