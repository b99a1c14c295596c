import type { GrammarSpec } from "./spec.ts";

/** Languages read at the level of definitions, calls and imports. */

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

export const ELIXIR: GrammarSpec = {
	markedNames: true,
	parameters: [],
	definitions: {
		call: {
			kind: "function",
			name: "@arguments/@first",
			words: {
				defmodule: "module",
				defprotocol: "interface",
				defimpl: "impl",
				defmacro: "macro",
				defmacrop: "macro",
				defp: "function",
				def: "function",
				defdelegate: "function",
				defguard: "macro",
				defguardp: "macro",
				test: "test",
				describe: "test",
			},
			containerWords: ["defmodule", "defprotocol", "defimpl", "describe"],
		},
		unary_operator: {
			kind: "type",
			name: "operand/@arguments/@first/left",
			small: true,
			words: {
				"@type": "type",
				"@typep": "type",
				"@opaque": "type",
				"@callback": "function",
				"@macrocallback": "macro",
			},
		},
	},
	comments: ["comment"],
	decorators: ["doc", "typedoc", "spec", "impl", "deprecated", "since", "tag"].map((name) => `unary_operator:@${name}`),
	docDecorators: /^@(?:doc|typedoc)\s+(?:~[sS])?(?=["'])/,
	bodies: ["do_block"],
	identifiers: ["identifier"],
	typeIdentifiers: ["alias"],
	nameFields: ["target"],
	calls: { call: ["target"] },
	lambdas: ["anonymous_function"],
	importCalls: [],
	imports: {
		"call:alias": "@arguments/@first",
		"call:import": "@arguments/@first",
		"call:use": "@arguments/@first",
		"call:require": "@arguments/@first",
	},
};

export const DART: GrammarSpec = {
	definitions: {
		class_definition: { kind: "class", container: true },
		mixin_declaration: { kind: "trait", name: "@identifier", container: true },
		extension_declaration: { kind: "impl", container: true },
		enum_declaration: { kind: "enum" },
		function_signature: { kind: "function", tail: "function_body" },
		constructor_signature: { kind: "constructor", tail: "function_body" },
		getter_signature: { kind: "method", tail: "function_body" },
		setter_signature: { kind: "method", tail: "function_body" },
		type_alias: { kind: "type", name: "@type_identifier" },
		static_final_declaration: { kind: "constant", name: "@identifier", small: true },
		initialized_identifier: { kind: "property", name: "@identifier", small: true },
	},
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
		test_declaration: { kind: "test", name: "@string" },
	},
	comments: ["comment"],
	bodies: ["struct_declaration", "enum_declaration", "union_declaration", "block"],
	parameters: ["parameters"],
	visibility: { unmarked: "private", keywords: { pub: "public" } },
	exported: "public",
	identifiers: ["identifier"],
	nameFields: ["name", "member"],
	calls: { call_expression: ["function"] },
	returns: ["return_expression"],
	branches: ["if_statement", "if_expression", "switch_case"],
	loops: ["for_statement", "while_statement"],
	breaks: ["break_expression"],
	continues: ["continue_expression"],
};

export const HASKELL: GrammarSpec = {
	parameters: [],
	definitions: {
		signature: { kind: "function", tail: "function|bind", tailRepeats: true },
		function: { kind: "function", tail: "function", tailRepeats: true },
		bind: { kind: "function", small: true },
		data_type: { kind: "struct" },
		newtype: { kind: "struct" },
		data_constructor: { kind: "property", name: "constructor/name", small: true },
		field: { kind: "property", small: true },
		class: { kind: "trait" },
		instance: { kind: "impl" },
		type_synomym: { kind: "type" },
	},
	comments: ["comment", "haddock"],
	bodies: ["match", "class_declarations", "instance_declarations"],
	identifiers: ["variable"],
	typeIdentifiers: ["name"],
	nameFields: ["name"],
	calls: { apply: ["function"] },
	imports: { import: "module" },
};

export const R: GrammarSpec = {
	definitions: {
		binary_operator: {
			kind: "function",
			name: "lhs",
			value: { field: "rhs", kinds: { function_definition: "function" }, only: true },
		},
	},
	comments: ["comment"],
	identifiers: ["identifier"],
	calls: { call: ["function"] },
	importCalls: ["library", "require", "source", "requireNamespace"],
	importsByName: true,
};

export const HCL: GrammarSpec = {
	definitions: { block: { kind: "section", name: "@first", container: true, labels: "string_lit" } },
	comments: ["comment"],
	bodies: ["body"],
	identifiers: ["identifier"],
};
