import { shown } from "../contract/json.ts";

/** A complaint for each id that several names become: all but the first could not be addressed by it. */
export function sharedIds(section: string, names: readonly string[], idOf: (name: string) => string): string[] {
	const namesOf = Map.groupBy(names, idOf);
	return [...namesOf].flatMap(([id, sharing]) =>
		sharing.length > 1 ? [`${section}: expected one name for ${id}, got ${sharing.map(shown).join(" and ")}`] : [],
	);
}
