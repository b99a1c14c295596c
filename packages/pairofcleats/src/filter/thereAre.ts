/** More would bury the message. */
const MOST_NAMED = 30;

/** Lists what a caller could have asked for: `there is a`, `there are a, b`, `nothing indexed has any`. */
export function thereAre(names: readonly string[]): string {
	if (names.length === 0) return "nothing indexed has any";
	return `there ${names.length === 1 ? "is" : "are"} ${names.slice(0, MOST_NAMED).join(", ")}`;
}
