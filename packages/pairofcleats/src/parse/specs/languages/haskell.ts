import type { GrammarSpec } from "../spec.ts";

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
