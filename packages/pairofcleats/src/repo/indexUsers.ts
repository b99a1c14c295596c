/** The users of an open index file, which stays open for those who still wait for something. */
export class IndexUsers {
	readonly #closeFile: () => void;
	#users = 0;
	#isClosing: boolean = false;

	constructor(closeFile: () => void) {
		this.#closeFile = closeFile;
	}

	async during<Value>(work: () => Promise<Value>): Promise<Value> {
		this.#users += 1;
		try {
			return await work();
		} finally {
			this.#users -= 1;
			if (this.#isClosing) this.close();
		}
	}

	/** At once, or after the last user. */
	close(): void {
		this.#isClosing = true;
		if (this.#users === 0) this.#closeFile();
	}
}
