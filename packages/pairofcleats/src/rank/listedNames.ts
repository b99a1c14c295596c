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

/** Of a common name, only the files that have it most are read; fewer if it is one word, which sentences have too. */
const MOST_FILES = { joined: 400, word: 30 } as const;
/** A module under a name of this file, as in `const fs = require("fs")`, is declared elsewhere. */
const IMPORTED = /\b(?:require|import)\b/;

/** The chunks of code that list a name as written; if its owner is given, those of that declaration or file alone. */
export function listedNames(name: string, owner: string | undefined, listings: Listings): ListedName[] {
	return filesWith(name, listings).flatMap((file) => listedIn(file, name, owner, listings));
}

/** Without tests, if code that is no test has the name. Keys of data formats are not declared: many files have the same. */
function filesWith(name: string, { snapshot, impacts }: Listings): SnapshotFile[] {
	const terms = termsOf(name);
	// The last term is the whole name.
	const term = terms.at(-1);
	if (term === undefined) return [];
	const { files, fileImpacts } = impacts.of(term);
	const found = Array.from(files, (number, at) => ({ file: snapshot.files[number], impact: fileImpacts[at] ?? 0 }));
	const code = found.flatMap(({ file, impact }) =>
		file?.mode === "code" && file.method !== "format" ? [{ file, impact }] : [],
	);
	const sources = code.filter(({ file }) => file.role === "source");
	return (sources.length > 0 ? sources : code)
		.sort((a, b) => b.impact - a.impact || (a.file.path < b.file.path ? -1 : 1))
		.slice(0, terms.length > 1 ? MOST_FILES.joined : MOST_FILES.word)
		.map(({ file }) => file);
}

function listedIn(file: SnapshotFile, name: string, owner: string | undefined, listings: Listings): ListedName[] {
	const { snapshot, reader, texts } = listings;
	// PHP declares `$name`, and its name has no sigil.
	const bare = name.replace(/^\$(?=\w)/, "");
	const { segment, ordinal } = file;
	const stored = reader.detailsBytes(segment.id, ordinal);
	if (!stored || ![name, bare].some((one) => mayList(stored, one))) return [];
	const byChunk = namesByChunk(reader.details(segment.id, ordinal)?.names);
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

/** Whether the stored details end a row with the name, as those of names do; most files with a name only use it. */
function mayList(stored: Buffer, name: string): boolean {
	const end = `,${JSON.stringify(name)}]`;
	for (let at = stored.indexOf(end); at >= 0; at = stored.indexOf(end, at + 1)) {
		const before = stored[at - 1] ?? 0;
		if (before >= 0x30 && before <= 0x39) return true;
	}
	return false;
}

function isOwner(owner: string, file: SnapshotFile, place: number): boolean {
	const around = file.segment.qualifiedNames().at(file.firstDoc + place);
	const fileName = file.path.slice(file.path.lastIndexOf("/") + 1);
	return around === owner || around.endsWith(`.${owner}`) || fileName.replace(/\..*$/, "") === owner;
}
