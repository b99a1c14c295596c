/**
 * `reference`: a reference has no target. `malformed`: the metaschema rejects the schema. `unusable`: anything else.
 */
export type SchemaProblemKind = "reference" | "malformed" | "unusable";

/** Why a schema cannot be used at all. No value is ever reported as valid against such a schema. */
export class SchemaProblem extends Error {
	override readonly name = "SchemaProblem";
	readonly kind: SchemaProblemKind;
	/** A pointer to the mistake in the schema's document, if it is known where it is thrown. */
	readonly path: string | undefined;

	constructor(message: string, kind: SchemaProblemKind = "unusable", path?: string) {
		super(message);
		this.kind = kind;
		this.path = path;
	}
}
