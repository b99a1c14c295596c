/** In characters. Whoever is answered more has asked for something that nobody reads. */
export const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;

/** What stands at the end of a list that was cut off. */
export const CUT_OFF = "there is more than an answer can hold";

/** What an answer holds so far: every path in it may be as long as the question, so that kilobytes ask for gigabytes. */
export class AnswerSize {
	#length = 0;

	/** Whether there is room for texts, asked before they are put together: until then they take no memory of their own. */
	fits(...texts: readonly string[]): boolean {
		for (const { length } of texts) this.#length += length;
		return this.#length <= MAX_ANSWER_LENGTH;
	}
}
