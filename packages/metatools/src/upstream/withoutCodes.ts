import { stripVTControlCharacters } from "node:util";

/** Enough for any line that is shown, codes included. The limit is needed because stripping takes quadratic time. */
const MOST_READ = 4_000;

/** The beginning of a printed line, without terminal control codes. */
export function withoutCodes(printed: string): string {
	return stripVTControlCharacters(printed.slice(0, MOST_READ));
}
