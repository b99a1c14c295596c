import { word } from "../readAs.ts";
import type { GrammarSpec } from "../spec.ts";

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
