/** `reference`: it refers to nothing. `malformed`: the draft's own schema refuses it. `unusable`: anything else. */
export type SchemaProblemKind = "reference" | "malformed" | "unusable";

/** Why a schema cannot be used at all; nothing is ever called valid against it. */
export class SchemaProblem extends Error {
	override readonly name = "SchemaProblem";
	readonly kind: SchemaProblemKind;

	constructor(message: string, kind: SchemaProblemKind = "unusable") {
		super(message);
		this.kind = kind;
	}
}
