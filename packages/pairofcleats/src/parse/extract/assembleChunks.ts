import { type Chunk, type ChunkFacts, type DraftFacts, isFunctionLike } from "../chunk.ts";
import { cutIntoBlocks, cutIntoParts, type LineIndex, type LineRange, trimBlankLines } from "../chunkLines.ts";
import type { SaidLater } from "./outline.ts";
import type { Scope, Segment } from "./scopes/scope.ts";

/** Risk facts of the segments that make up one chunk's declaration. */
export type RiskOf = (segments: readonly Segment[]) => ChunkFacts["risk"];

/** Turns segments, in source order, into chunks. `riskOf` visits a segment's nodes again. */
export function assembleChunks(
	segments: readonly Segment[],
	lines: LineIndex,
	filled: ReadonlySet<string>,
	later: SaidLater,
	riskOf: RiskOf,
): Chunk[] {
	const chunks: Chunk[] = [];
	const places = new Map<Scope, number[]>();
	for (const segment of segments) {
		const { scope } = segment;
		if (scope.found && (scope.segments[0] === segment || sharesFacts(segment))) {
			const before = places.get(scope) ?? [];
			places.set(scope, before);
			for (const chunk of declarationChunks(segment, lines, filled, later, riskOf)) {
				if (chunk.kind !== "block") before.push(chunks.length);
				chunks.push(chunk);
			}
		} else chunks.push(...blockChunks(segment, lines, filled, riskOf));
	}
	for (const parts of places.values()) numberParts(chunks, parts);
	return chunks;
}

function numberParts(chunks: Chunk[], places: readonly number[]): void {
	const of = places.length;
	if (of < 2) return;
	for (const [before, place] of places.entries()) {
		const chunk = chunks[place];
		if (chunk) chunks[place] = { ...chunk, part: { index: before + 1, of } };
	}
}

const NO_VALUE =
	/^(?:void|unit|\(\s*\)|!|never|none|noreturn|nothing|undefined|asserts\s.*|task|valuetask|(?:promise|future)<\s*(?:void|undefined|never|unit|\(\))\s*>)$/i;

/** Uses the declared return type first: a body may return its last value implicitly, and a signature has no body. */
function namesAValue({ returnType, returns }: ChunkFacts): boolean {
	return returnType === undefined ? returns === true : !NO_VALUE.test(returnType);
}

function sharesFacts(segment: Segment): boolean {
	const { found, container } = segment.scope;
	return found !== undefined && isFunctionLike(found.kind) && !container;
}

function declarationChunks(
	segment: Segment,
	lines: LineIndex,
	filled: ReadonlySet<string>,
	later: SaidLater,
	riskOf: RiskOf,
): Chunk[] {
	const { scope } = segment;
	const { found, header } = scope;
	const range = trimBlankLines(lines, segment.startLine, segment.endLine);
	if (!found || !header || !range) return [];
	const first = scope.segments[0] === segment;
	const generator = header.facts.generator === true || segment.sink.yields;
	const risk = riskOf(sharesFacts(segment) ? scope.segments : [segment]);
	const facts: DraftFacts = { ...header.facts };
	segment.sink.addTo(facts, filled);
	if (facts.exported === false && later.exported.has(scope.qualifiedName)) facts.exported = true;
	const visibility = later.visibility.get(scope.qualifiedName);
	if (visibility) Object.assign(facts, { visibility, exported: visibility === "public" });
	if (isFunctionLike(found.kind)) {
		if (filled.has("async")) facts.async = header.facts.async ?? segment.sink.suspends;
		if (filled.has("generator")) facts.generator = generator;
		if (filled.has("returns")) facts.returns = (!generator && namesAValue(header.facts)) || segment.sink.returns;
	}
	if (scope.docstring !== "") facts.docstring = scope.docstring;
	if (risk) facts.risk = risk;
	const nameLine = lines.lineAt(header.start);
	const parts = cutIntoParts(lines, scope.segments.length === 1 ? segment : range);
	// Parts with only a long comment before the declaration are not its definition.
	const comments = first ? parts.filter(({ endLine }) => endLine < nameLine).length : 0;
	return parts.map((part, index) => {
		const owned = {
			qualifiedName: scope.qualifiedName,
			...(scope.namespace !== "" && { namespace: scope.namespace }),
		};
		if (index < comments) return { ...part, ...owned };
		return {
			...part,
			kind: found.kind,
			name: found.name,
			...owned,
			...(first && nameLine > segment.startLine && { nameLine }),
			...(first && scope.endLine > segment.endLine && { extentEndLine: scope.endLine }),
			...symbolsIn(segment, part),
			facts,
		};
	});
}

function blockChunks(segment: Segment, lines: LineIndex, filled: ReadonlySet<string>, riskOf: RiskOf): Chunk[] {
	const blocks = cutIntoBlocks(lines, segment);
	if (blocks.length === 0) return [];
	const risk = riskOf([segment]);
	const facts: DraftFacts = {};
	segment.sink.addTo(facts, filled);
	if (risk) facts.risk = risk;
	return blocks.map((block) => ({
		...block,
		qualifiedName: segment.scope.qualifiedName,
		...(segment.scope.namespace !== "" && { namespace: segment.scope.namespace }),
		...symbolsIn(segment, block),
		facts,
	}));
}

function symbolsIn(segment: Segment, range: LineRange): Pick<Chunk, "symbols"> {
	if (segment.symbols.length === 0) return {};
	const symbols = segment.symbols.filter(({ line }) => line >= range.startLine && line <= range.endLine);
	return symbols.length > 0 ? { symbols } : {};
}
