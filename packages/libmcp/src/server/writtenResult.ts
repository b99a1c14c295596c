/** A result that is JSON text already: the transports send the text as it is, and nobody writes it a second time. */
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
