import type { GrammarSpec } from "../spec.ts";

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
