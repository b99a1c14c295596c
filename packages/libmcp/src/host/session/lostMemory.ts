import type { Fault } from "../../fault/fault.ts";

/**
 * What the model has to be told, once, when a lost worker took its memory with it: a browser's pages, a shell's folder.
 * Without that, the next answer is a bare "No open pages", or one that looks as if nothing had happened.
 */
export class LostMemory {
	/** A call succeeded that may have left something in the worker's memory. */
	#isFilled: boolean = false;
	#note: string | undefined;

	/** What the next answer has to say. */
	get note(): string | undefined {
		return this.#note;
	}

	/** Notes a successful call whose effect on memory no contract covers. */
	fill(): void {
		this.#isFilled = true;
	}

	/** The worker that served the session ended unexpectedly. */
	lose(fault: Fault): void {
		if (!this.#isFilled) return;
		this.#isFilled = false;
		this.#note =
			`Note from the host: the server ended (${fault.detail}) after an earlier call and was started again. ` +
			"What it kept in memory, such as open pages, connections or a working directory, is gone and has to be set up again.";
	}

	/** The client has the note. */
	forget(): void {
		this.#note = undefined;
	}
}
