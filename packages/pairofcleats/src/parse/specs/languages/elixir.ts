import type { GrammarSpec } from "../spec.ts";

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
