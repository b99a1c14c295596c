import { isFunctionLike } from "../chunk.ts";
import type { LineRange } from "../chunkLines.ts";
import type { Found } from "./found.ts";
import { isType, type Scope } from "./scope.ts";

/** A small declaration with at least this many lines gets a chunk. */
const LONG_SMALL = 4;
/** In a function longer than LONG_FUNCTION, inner functions of at least LONG_INNER lines get chunks. */
const LONG_FUNCTION = 120;
const LONG_INNER = 5;

/** Whether a definition with lines of its own gets a chunk, rather than being a symbol of the chunk around it. */
export function deservesChunk(
	found: Found,
	scope: Scope,
	{ startLine, endLine }: LineRange,
	bodiless: boolean,
): boolean {
	const length = endLine - startLine + 1;
	const isValue = found.callable !== found.node;
	if (found.rule?.small && !isValue && length < LONG_SMALL) return false;
	const signature = bodiless && !isValue && isFunctionLike(found.kind);
	if (signature && isType(scope) && length < LONG_SMALL) return false;
	if (scope.container) return true;
	return scope.endLine - scope.startLine > LONG_FUNCTION && length >= LONG_INNER;
}
