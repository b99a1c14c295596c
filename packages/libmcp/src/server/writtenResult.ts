/** A result that is already JSON text; transports send it without serializing it again. */
export class WrittenResult {
	/** The members of the object with commas between them, without its braces. */
	readonly members: string;

	constructor(members: string) {
		this.members = members;
	}

	toJSON(): Record<string, unknown> {
		return JSON.parse(`{${this.members}}`);
	}
}
