import { stripVTControlCharacters } from "node:util";

/** More letters than any line shows, as codes lie between them; Node takes the square of the time for hostile ones. */
const MOST_READ = 4_000;

/** The beginning of a line that a program printed, without what colours it and moves the cursor. */
export function withoutCodes(printed: string): string {
	return stripVTControlCharacters(printed.slice(0, MOST_READ));
}
