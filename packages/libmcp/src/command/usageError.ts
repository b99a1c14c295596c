import type { FieldMessage } from "./commandFailure.ts";

/** A command line that cannot be understood; its message says what was expected. */
export class UsageError extends Error {
	override readonly name: string = "UsageError";

	constructor(message: FieldMessage) {
		super(message);
	}
}
