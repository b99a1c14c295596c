/** A result that is already JSON text, which transports send without serialising it again. */
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
