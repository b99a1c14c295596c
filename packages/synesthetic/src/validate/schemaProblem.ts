/** Why a schema cannot be used at all; nothing is ever called valid against it. */
export class SchemaProblem extends Error {
	override readonly name = "SchemaProblem";
}
