import type { GrammarSpec } from "../spec.ts";

export const HCL: GrammarSpec = {
	definitions: { block: { kind: "section", name: "@first", container: true, labels: "string_lit" } },
	comments: ["comment"],
	bodies: ["body"],
	identifiers: ["identifier"],
};
