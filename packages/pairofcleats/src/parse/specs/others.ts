import { classHead } from "./readAs.ts";
import type { GrammarSpec } from "./spec.ts";

/** Languages of which only definitions, calls and imports are extracted. */

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

/** Excludes attributes that instruct the compiler or test runner instead of naming a value. */
const NO_INSTRUCTION =
	/^(?!(?:moduledoc|shortdoc|behaviour|derive|enforce_keys|compile|dialyzer|on_load|vsn|file|external_resource|optional_callbacks|(?:before|after)_compile|after_verify|on_definition|preferred_cli_env|moduletag|describetag)$)/;

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
				"Record.defrecord": "struct",
				"Record.defrecordp": "struct",
				defrecord: "struct",
				defrecordp: "struct",
				test: "test",
				describe: "test",
			},
			containerWords: ["defmodule", "defprotocol", "defimpl", "describe"],
		},
		unary_operator: {
			kind: "type",
			name: "operand/@arguments/@first/left|operand/target",
			small: true,
			requires: "@'@'",
			named: NO_INSTRUCTION,
			words: {
				"@type": "type",
				"@typep": "type",
				"@opaque": "type",
				"@callback": "function",
				"@macrocallback": "macro",
				/** Any other module attribute: `@timeout 5_000`. */
				"": "constant",
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
	attributeMark: "@",
	memberCalls: /^(?!__MODULE__\b)[^A-Z:]/,
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

export const HASKELL: GrammarSpec = {
	parameters: [],
	definitions: {
		signature: { kind: "function", name: "name|names/name", tail: "function|bind", tailRepeats: true },
		function: { kind: "function", name: "name|@infix/operator", tail: "function", tailRepeats: true },
		bind: { kind: "function", small: true },
		data_type: { kind: "struct", name: "name|@infix/operator" },
		newtype: { kind: "struct" },
		data_constructor: { kind: "property", name: "constructor/name|constructor/operator", small: true },
		gadt_constructor: { kind: "property", name: "name|names/name", small: true },
		newtype_constructor: { kind: "property", small: true },
		field: { kind: "property", small: true },
		class: { kind: "trait" },
		instance: { kind: "impl" },
		type_synomym: { kind: "type" },
		type_family: { kind: "type" },
		data_family: { kind: "type" },
		pattern_synonym: {
			kind: "function",
			name: "@signature/synonym|@equation/synonym/function|@equation/synonym/name|@equation/synonym",
		},
	},
	comments: ["comment", "haddock"],
	bodies: ["match", "class_declarations", "instance_declarations"],
	identifiers: ["variable"],
	typeIdentifiers: ["name", "constructor"],
	nameFields: ["name"],
	calls: { apply: ["function"] },
	patternFields: ["pattern", "patterns"],
	imports: { import: "module" },
};

export const R: GrammarSpec = {
	definitions: {
		binary_operator: {
			kind: "function",
			name: "lhs",
			value: { field: "rhs", kinds: { function_definition: "function" }, only: true },
		},
		call: {
			kind: "function",
			name: "arguments/argument/value",
			words: {
				R6Class: "class",
				"R6::R6Class": "class",
				setRefClass: "class",
				setClass: "class",
				setGeneric: "function",
				setMethod: "method",
			},
		},
		/** Members of a class: `public = list(add = function(x) …, size = 0)`. */
		argument: {
			kind: "function",
			value: { field: "value", kinds: { function_definition: "function" }, only: true },
			listed: { kind: "property", names: ["public", "private", "fields", "slots"] },
			small: true,
			inType: true,
			constructorNames: ["initialize"],
		},
	},
	wrappers: ["binary_operator"],
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
