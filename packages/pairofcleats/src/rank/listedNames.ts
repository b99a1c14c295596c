import type { ChunkKind } from "../parse/chunk.ts";
import type { FileTexts } from "../query/fileTexts.ts";
import { namesByChunk } from "../segment/innerNames.ts";
import type { Snapshot, SnapshotFile } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";
import { termsOf } from "../tokens/terms.ts";
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

/** Of a common name, only the files that have it most are read. */
const MOST_FILES = 100;
/** A module under a name of this file, as in `const fs = require("fs")`, is declared elsewhere. */
const IMPORTED = /\b(?:require|import)\b/;

/** The chunks of code that list a name as written; if its owner is given, those of that declaration or file alone. */
export function listedNames(name: string, owner: string | undefined, listings: Listings): ListedName[] {
	return filesWith(name, listings).flatMap((file) => listedIn(file, name, owner, listings));
}

/** Without tests, if code that is no test has the name. Keys of data formats are not declared: many files have the same. */
function filesWith(name: string, { snapshot, impacts }: Listings): SnapshotFile[] {
	// The last term is the whole name.
	const term = termsOf(name).at(-1);
	if (term === undefined) return [];
	const { files, fileImpacts } = impacts.of(term);
	const found = Array.from(files, (number, at) => ({ file: snapshot.files[number], impact: fileImpacts[at] ?? 0 }));
	const code = found.filter(({ file }) => file?.mode === "code" && file.method !== "format");
	const sources = code.filter(({ file }) => file?.role === "source");
	return (sources.length > 0 ? sources : code)
		.sort((a, b) => b.impact - a.impact)
		.slice(0, MOST_FILES)
		.flatMap(({ file }) => file ?? []);
}

function listedIn(file: SnapshotFile, name: string, owner: string | undefined, listings: Listings): ListedName[] {
	const { snapshot, reader, texts } = listings;
	// PHP declares `$name`, and its name has no sigil.
	const bare = name.replace(/^\$(?=\w)/, "");
	const byChunk = namesByChunk(reader.details(file.segment.id, file.ordinal)?.names);
	return [...byChunk].flatMap(([place, names]) => {
		const doc = file.first + place;
		const found = names.find((one) => one.name === name || one.name === bare);
		if (!found || snapshot.alive[doc] === 0 || (owner !== undefined && !isOwner(owner, file, place))) return [];
		const { startLine } = file.segment.columns;
		const first = startLine[file.firstDoc + place] ?? 1;
		const line = texts.chunk(snapshot, doc).split("\n")[found.line - first] ?? "";
		return IMPORTED.test(line) ? [] : [{ doc, kind: found.kind, line: found.line }];
	});
}

function isOwner(owner: string, file: SnapshotFile, place: number): boolean {
	const around = file.segment.qualifiedNames().at(file.firstDoc + place);
	const fileName = file.path.slice(file.path.lastIndexOf("/") + 1);
	return around === owner || around.endsWith(`.${owner}`) || fileName.replace(/\..*$/, "") === owner;
}
