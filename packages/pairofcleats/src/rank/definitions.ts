import { CHUNK_KINDS, type ChunkKind } from "../parse/chunk.ts";
import { FLAG } from "../segment/columns.ts";
import { factTerm } from "../segment/factTerms.ts";
import { decodePostings } from "../segment/postings.ts";
import { locate, type Snapshot } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";

export type Definitions = {
	/** Chunks that define a symbol of the query, each with its certainty: up to 1, or up to QUALIFIED. */
	readonly docs: ReadonlyMap<number, number>;
	/** The line of the symbol, for chunks that only list it among their members. */
	readonly lines?: ReadonlyMap<number, number>;
};

/** Certainty by kind: the user more likely means a type of that name than a local variable. */
const BY_KIND: Readonly<Partial<Record<ChunkKind, number>>> = {
	class: 1,
	interface: 1,
	struct: 1,
	trait: 1,
	enum: 1,
	type: 0.95,
	module: 0.95,
	function: 1,
	macro: 0.95,
	table: 0.95,
	method: 0.8,
	impl: 0.6,
	constructor: 0.7,
	constant: 0.8,
	variable: 0.7,
	property: 0.5,
	test: 0.4,
	rule: 0.6,
	element: 0.5,
	section: 0.4,
};

/** A name that differs in case is a weaker match. */
const OTHER_CASE = 0.6;
/** A name given with its owner is rarely ambiguous. */
const QUALIFIED = 2;

/** Separators between an owner and a name. The `->` of `operator->` is not one. */
const OWNED = /::|(?:#|->|\/)(?=[\p{L}\p{M}\p{N}_$])/gu;

export function findDefinitions(snapshot: Snapshot, reader: IndexReader, symbols: readonly string[]): Definitions {
	const docs = new Map<number, number>();
	for (const symbol of symbols) {
		const name = symbol.replaceAll(OWNED, ".");
		const last = name.slice(name.lastIndexOf(".") + 1);
		const most = last === name ? 1 : QUALIFIED;
		for (const segment of snapshot.segments) {
			const row = reader.postings(segment.id, factTerm("symbol", name.toLowerCase()));
			if (!row) continue;
			for (const local of decodePostings(row.bytes, row.count, segment.docs).docs) {
				// Only the first part of a long declaration counts as its definition.
				if (((segment.columns.flags[local] ?? 0) & FLAG.laterPart) !== 0) continue;
				const doc = segment.base + local;
				if (snapshot.alive[doc] === 0) continue;
				const alike = segment.names().at(local) === last ? 1 : OTHER_CASE;
				const sure = most * alike * (BY_KIND[kindOf(snapshot, doc)] ?? 0.3);
				docs.set(doc, Math.max(docs.get(doc) ?? 0, sure));
			}
		}
	}
	return { docs };
}

function kindOf(snapshot: Snapshot, doc: number): ChunkKind {
	const { segment, local } = locate(snapshot, doc);
	return CHUNK_KINDS[segment.columns.kind[local] ?? 0] ?? "block";
}
