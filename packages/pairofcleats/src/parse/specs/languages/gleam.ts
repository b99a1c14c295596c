import { word } from "../readAs.ts";
import type { GrammarSpec } from "../spec.ts";

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
