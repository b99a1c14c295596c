import type { ChunkKind } from "../parse/chunk.ts";
import type { FileTexts } from "../query/fileTexts.ts";
import { makeFactTerm } from "../segment/factTerms.ts";
import { groupNamesByChunk } from "../segment/packedFacts.ts";
import { decodePostings } from "../segment/postings.ts";
import type { Snapshot, SnapshotFile } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";
import { splitIntoTerms } from "../tokens/words.ts";
import type { Impacts } from "./impacts.ts";

/** A constant, field or variable that has no chunk of its own: the chunk that lists it, and its line there. */
export type ListedName = {
	readonly doc: number;
	readonly kind: ChunkKind;
	readonly line: number;
};

export type Listings = {
	readonly snapshot: Snapshot;
	readonly reader: IndexReader;
	readonly texts: FileTexts;
	readonly impacts: Impacts;
};

/** Of a name that more chunks list, such as `id`, none in particular is meant: the first ones will do. */
const MOST_CHUNKS = 60;
/** A module under a name of this file, as in `const fs = require("fs")`, is declared elsewhere. */
const IMPORTED = /\b(?:require|import)\b/;

/** The chunks of code that list a name as written; if its owner is given, those of that declaration or file alone. */
export function listedNames(name: string, owner: string | undefined, listings: Listings): ListedName[] {
	// PHP declares `$name`, and its name has no sigil.
	const names = [...new Set([name, name.replace(/^\$(?=\w)/, "")])];
	const byFile = Map.groupBy(chunksWith(names, owner, listings), ({ file }) => file);
	return [...byFile].flatMap(([file, chunks]) => {
		const byChunk = groupNamesByChunk(listings.reader.details(file.segment.id, file.ordinal)?.names);
		return chunks.flatMap(({ doc }) => {
			const found = byChunk.get(doc - file.first)?.find((one) => names.includes(one.name));
			return found && !isImported(found.line, doc, file, listings) ? [{ doc, ...found }] : [];
		});
	});
}

type Listing = { readonly doc: number; readonly file: SnapshotFile };

/** Without tests, if code that is no test has the name: what it means there is declared elsewhere. */
function chunksWith(names: readonly string[], owner: string | undefined, listings: Listings): Listing[] {
	const { snapshot, reader } = listings;
	const chunks: Listing[] = [];
	for (const { id, base, docs } of snapshot.segments) {
		for (const name of names) {
			const row = reader.postings(id, makeFactTerm("listed", name));
			if (!row) continue;
			for (const local of decodePostings(row.bytes, row.count, docs).docs) {
				const doc = base + local;
				const file = snapshot.files[snapshot.fileOf[doc] ?? 0];
				if (!file || snapshot.alive[doc] === 0) continue;
				if (owner === undefined || isOwner(owner, file, doc - file.first)) chunks.push({ doc, file });
			}
		}
	}
	const sources = chunks.filter(({ file }) => file.role === "source");
	if (sources.length > 0) return sources.slice(0, MOST_CHUNKS);
	const isElsewhere = chunks.length > 0 && names.some((name) => isInSource(name, listings));
	return isElsewhere ? [] : chunks.slice(0, MOST_CHUNKS);
}

function isInSource(name: string, { snapshot, impacts }: Listings): boolean {
	// The last term is the whole name.
	const term = splitIntoTerms(name).at(-1);
	if (term === undefined) return false;
	return impacts.of(term).files.some((number) => {
		const file = snapshot.files[number];
		return file?.mode === "code" && file.role === "source" && file.method !== "format";
	});
}

function isImported(line: number, doc: number, file: SnapshotFile, { snapshot, texts }: Listings): boolean {
	const first = file.segment.columns.startLine[file.firstDoc + doc - file.first] ?? 1;
	return IMPORTED.test(texts.chunk(snapshot, doc).split("\n")[line - first] ?? "");
}

function isOwner(owner: string, file: SnapshotFile, place: number): boolean {
	const around = file.segment.qualifiedNames().at(file.firstDoc + place);
	const fileName = file.path.slice(file.path.lastIndexOf("/") + 1);
	return around === owner || around.endsWith(`.${owner}`) || fileName.replace(/\..*$/, "") === owner;
}
