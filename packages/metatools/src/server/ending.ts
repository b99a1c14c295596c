/** A longer end is not worth showing out of its turn. */
const LONGEST = 3_000;

/** The last of several parts of a text, where an answer that is cut shows it all the same. */
export function endingOf(parts: readonly string[]): string | undefined {
	const last = parts.at(-1);
	return parts.length > 1 && last !== undefined && last.length <= LONGEST ? last : undefined;
}
