const DATE =
	/^(?<year>\d{4})(?:-(?<month>\d{2})(?:-(?<day>\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?)?)?$/i;

/** Milliseconds of an ISO 8601 date, in UTC if it has no zone; `undefined` for anything else. */
export function readDate(text: string): number | undefined {
	const date = DATE.exec(text.trim())?.groups;
	if (!date) return undefined;
	const { year = "", month = "01", day = "01", zone } = date;
	// `Date` accepts 31 February as a day in March, and many sentences with a number as a date.
	const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
	if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return undefined;
	const hasTime = text.includes(":");
	const ms = Date.parse(hasTime && zone === undefined ? `${text.trim()}Z` : text.trim());
	return Number.isNaN(ms) ? undefined : ms;
}
