import type { FileStat } from "../store/store.ts";

/** The state of a file that is indexed by lines because its parser ended; the next update tries again. */
export const PARSER_ENDED = "parserEnded";

/** Whether a file of this state is in the index. */
export function isIndexed(state: string): boolean {
	return state === "indexed" || state === PARSER_ENDED;
}

/** The paths of the files whose parser ended. */
export function pathsOfEndedParsers(stats: Iterable<FileStat>): string[] {
	const paths: string[] = [];
	for (const { path, state } of stats) if (state === PARSER_ENDED) paths.push(path);
	return paths;
}

export function endedParserWarnings(stats: Iterable<FileStat>): string[] {
	const [first, ...more] = pathsOfEndedParsers(stats);
	if (first === undefined) return [];
	const files = more.length === 0 ? first : `${first} and ${more.length} more`;
	return [`the parser ended twice at ${files}: indexed by lines, and tried again at the next update`];
}
