import { isFunctionLike } from "../../chunk.ts";
import { isEmptyText, type LineIndex, type LineRange } from "../../chunkLines.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import type { Found } from "../definitions/visibility.ts";
import type { CompiledSpec } from "../spec/compileSpec.ts";
import { ROLE } from "../spec/roles.ts";
import type { Lead } from "./comments.ts";
import { isType, type Scope } from "./scope.ts";
import type { ScopeStack } from "./scopeStack.ts";

/** The first line of a definition's chunk, and whether other code stands on it before the definition. */
type Opening = { readonly line: number; readonly shared: boolean };

/** More text than this before a definition is generated code, whose line no definition stands for. */
const MOST_BEFORE = 400;
/** How code ends that a definition may follow: a statement, a block, a label, an attribute, a comment, PHP's tag. */
const COMPLETE = /(?:[;{},\]]|\w:|\*\/|<\?(?:php)?)$/i;

/**
 * Where the chunk of a definition begins. Chunks are whole lines, so a definition whose first line another chunk has, or
 * that is inside code that begins on that line, has no chunk.
 */
export function findOpening(
	tree: FlatTree,
	lines: LineIndex,
	scopes: ScopeStack,
	from: number,
	{ startLine, endLine }: LineRange,
	lead: Lead | undefined,
): Opening | undefined {
	const lineStart = lines.startOf(startLine);
	const start = tree.start[from] ?? 0;
	const isFree = startLine > scopes.takenLine;
	const before = tree.text.slice(lineStart, start).trim();
	if (before === "" || (lead && lead.endLine >= startLine))
		return isFree ? { line: lead?.startLine ?? startLine, shared: false } : undefined;
	const { current, log } = scopes;
	if (endLine === startLine || start - lineStart > MOST_BEFORE || isInside(tree, current, from, lineStart))
		return undefined;
	if (isFree) return COMPLETE.test(before) ? { line: startLine, shared: true } : undefined;
	if (current.found?.kind === "module" && current.segments.length === 0)
		return { line: log.current.startLine, shared: true };
	return isEmptyText(before) && log.endsAt(startLine) ? { line: startLine, shared: false } : undefined;
}

/** Whether a node is part of code in its scope that begins before it on its line: `run(function name() {`. */
function isInside({ start, parent }: FlatTree, scope: Scope, node: number, lineStart: number): boolean {
	const outermost = Math.max(scope.body, scope.found?.node ?? 0);
	for (let at = parent[node] ?? 0; at > outermost; at = parent[at] ?? 0) {
		const begins = start[at] ?? 0;
		if (begins >= lineStart && begins < (start[node] ?? 0)) return true;
	}
	return false;
}

/** The string at the start of a body, if the language treats it as documentation; else -1. */
export function findDocstring({ type, until }: FlatTree, { spec, grammar, roles }: CompiledSpec, body: number): number {
	if (!spec.docstrings || body < 0) return -1;
	const statement = body + 1;
	if (statement >= (until[body] ?? 0) || ((roles[type[statement] ?? 0] ?? 0) & ROLE.docStatement) === 0) return -1;
	const string = statement + 1;
	return grammar.types[type[string] ?? 0] === spec.docstrings.string ? string : -1;
}

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
