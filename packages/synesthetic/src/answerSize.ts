/** Limit on one answer, in characters. */
export const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;

/** Last entry of a list that was cut off. */
export const CUT_OFF = "there is more than an answer can hold";

/**
 * Counts the size of an answer. Each path in it may be as long as the request, so kilobytes could produce gigabytes.
 */
export class AnswerSize {
	#length = 0;

	/** Whether the texts still fit. Ask before joining them, while they take no memory of their own. */
	fits(...texts: readonly string[]): boolean {
		for (const { length } of texts) this.#length += length;
		return this.#length <= MAX_ANSWER_LENGTH;
	}
}
