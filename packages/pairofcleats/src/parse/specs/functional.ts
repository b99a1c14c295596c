import { word } from "./readAs.ts";
import type { GrammarSpec } from "./spec.ts";

export const CLOJURE: GrammarSpec = {
	wholeNames: true,
	markedNames: true,
	parameters: ["vec_lit"],
	forms: true,
	modifiers: ["meta_lit"],
	definitions: {
		list_lit: {
			kind: "function",
			name: "@after sym_lit/name",
			words: {
				"(ns": "module",
				"(defn": "function",
				"(defn-": "function",
				"(defmacro": "macro",
				"(defmulti": "function",
				"(defmethod": "method",
				"(definline": "function",
				"(defprotocol": "interface",
				"(definterface": "interface",
				"(defrecord": "struct",
				"(deftype": "class",
				"(deftest": "test",
				"(def": "constant",
				"(defonce": "variable",
				"(s/def": "constant",
				"(s/defn": "function",
			},
			smallWords: ["(ns", "(def", "(defonce", "(s/def"],
		},
	},
	comments: ["comment", "dis_expr"],
	bodies: ["list_lit"],
	identifiers: ["sym_name"],
	calls: { list_lit: ["@first"], anon_fn_lit: ["@first"] },
	branches: ["list_lit:(if", "list_lit:(when", "list_lit:(cond", "list_lit:(case"],
	loops: ["list_lit:(loop", "list_lit:(for", "list_lit:(doseq", "list_lit:(dotimes", "list_lit:(while"],
	imports: {
		"list_lit:(:require": "",
		"list_lit:(:use": "",
		"list_lit:(:import": "",
		"list_lit:(require": "",
		"list_lit:(use": "",
		"list_lit:(import": "",
	},
};

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

export const GLEAM: GrammarSpec = {
	definitions: {
		type_definition: { kind: "type", name: "@type_name/name" },
		type_alias: { kind: "type", name: "@type_name/name" },
		data_constructor: { kind: "property", small: true, member: true },
		constant: { kind: "constant", small: true },
		function: { kind: "function", result: "return_type" },
		external_function: { kind: "function", result: "return_type" },
	},
	/** `assert` as a statement is newer than the grammar. */
	readAs: [{ at: /(?<=^[ \t]*)assert (?=\S)/gm, as: word("let _ =") }],
	comments: ["comment", "statement_comment", "module_comment"],
	decorators: ["attribute"],
	bodies: ["data_constructors", "function_body"],
	visibility: { unmarked: "private", keywords: { pub: "public" } },
	exported: "public",
	identifiers: ["identifier"],
	typeIdentifiers: ["type_identifier", "constructor_name"],
	nameFields: ["name", "field", "label"],
	typeParents: ["type", "remote_type_identifier", "record", "record_pattern", "remote_constructor_name"],
	calls: { function_call: ["function"] },
	lambdas: ["anonymous_function"],
	assignments: { let: { left: "pattern", right: "value", declares: true } },
	branches: ["case_clause"],
	imports: { import: "module" },
};

/** A Nix file is a single expression; its bindings are what other files use. */
export const NIX: GrammarSpec = {
	wholeNames: true,
	parameters: ["formals"],
	definitions: {
		binding: {
			kind: "property",
			name: "attrpath",
			small: true,
			value: { field: "expression", kinds: { function_expression: "function" } },
		},
	},
	/** A trailing comma after the last argument is newer than the grammar. */
	readAs: [{ at: /,(?=\s{0,80}(?:#.{0,120}\n\s{0,80}){0,4}\}\s{0,80}[:@])/g, as: word("") }],
	comments: ["comment"],
	identifiers: ["identifier"],
	nameParents: ["attrpath", "inherited_attrs"],
	calls: { apply_expression: ["function"] },
	branches: ["if_expression"],
	imports: { "apply_expression:import": "function/argument|argument" },
};
