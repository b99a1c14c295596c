/** More would bury the message. */
const MOST_NAMED = 30;

/** Lists what a caller could have asked for: `there is a`, `there are a, b`. */
export function thereAre(names: readonly string[]): string {
	return `there ${names.length === 1 ? "is" : "are"} ${names.slice(0, MOST_NAMED).join(", ")}`;
}
