import { countText } from "libmcp";

const NAMED = 5;

/** Says which records were left out because they cannot be read. */
export function unreadableRecords(unreadable: readonly string[]): string {
	const names = [...unreadable.slice(0, NAMED), ...(unreadable.length > NAMED ? ["…"] : [])].join(", ");
	return `${countText(unreadable.length, "record")} left out, damaged or not readable: ${names}`;
}
