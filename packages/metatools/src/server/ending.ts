/** A longer last part is not worth the space in a cut answer. */
const LONGEST = 3_000;

/** The last of several parts, if it is short enough to be shown even in a cut answer. */
export function endingOf(parts: readonly string[]): string | undefined {
	const last = parts.at(-1);
	return parts.length > 1 && last !== undefined && last.length <= LONGEST ? last : undefined;
}
