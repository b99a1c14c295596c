import { CHUNK_KINDS, type ChunkKind } from "../../parse/chunk.ts";
import type { FileTexts } from "../../query/fileTexts.ts";
import { FLAG } from "../../segment/columns.ts";
import { makeFactTerm } from "../../segment/factTerms.ts";
import { groupNamesByChunk, unpackFunctions } from "../../segment/packedFacts.ts";
import { decodePostings } from "../../segment/postings.ts";
import type { Snapshot, SnapshotFile } from "../../store/snapshot.ts";
import type { IndexReader } from "../../store/store.ts";
import { splitIntoTerms } from "../../tokens/words.ts";
import type { Impacts } from "../score/impacts.ts";
import type { AskedDeclaration } from "../terms/declarationAsked.ts";

export type Definitions = {
	/** Chunks that define a symbol of the query, each with its certainty: up to 1, or up to QUALIFIED. */
	readonly docs: ReadonlyMap<number, number>;
	/** The line of the symbol, for chunks that only list it among their members. */
	readonly lines?: ReadonlyMap<number, number>;
	/** Whether the first symbol is the name, as written, of a declaration. */
	readonly asWritten?: boolean;
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
/** A name given with more owners than it has here: `models.Model.save` for `Model.save`. */
const PARTLY_QUALIFIED = 1.9;
/** The same name without its owner, where one with the owner is declared. */
const OTHER_OWNER = 0.5;
/** Of another kind than the query names. */
const OTHER_KIND = 0.5;

/** A field without its owner has a common name: a file of that name is as likely meant. */
const LOOSE_FIELD = 0.3;
/** Of another case or owner, where a constant or field has the name as written. */
const BESIDE_LISTED = 0.5;

/** Separators between an owner and a name. The `->` of `operator->` is not one. */
const OWNED = /::|(?:#|->|[/\\])(?=[\p{L}\p{M}\p{N}_$])/gu;

/** Of a signature, if code with that name is in another file, and if there is none. */
const SIGNATURE = { besideBody: 0.15, alone: 0.75 } as const;

export function findDefinitions(
	snapshot: Snapshot,
	reader: IndexReader,
	symbols: readonly string[],
	kinds?: ReadonlySet<ChunkKind>,
	certaintyOf: (name: string) => number = () => 1,
): Definitions {
	const docs = new Map<number, number>();
	const lines = new Map<number, number>();
	let asWritten = false;
	for (const [place, symbol] of symbols.entries()) {
		const { name, last } = partsOf(symbol);
		const isRest = place > 0 && docs.size > 0 && symbols[0]?.endsWith(symbol) === true;
		const alone = isRest ? OTHER_OWNER : certaintyOf(name);
		const most = last !== name ? (place === 0 ? QUALIFIED : PARTLY_QUALIFIED) : alone;
		const found = [...declarations(snapshot, reader, name.toLowerCase())];
		const coded = new Set(found.filter(({ hasBody }) => hasBody).map(({ doc }) => snapshot.fileOf[doc]));
		const share = 1 / Math.max(1, found.filter(({ kind }) => kind === "module").length);
		asWritten ||= place === 0 && found.some((one) => one.name === last);
		for (const one of found) {
			if (!one.hasBody && coded.has(snapshot.fileOf[one.doc])) continue;
			const sure = weighDeclaration(one, last, most, kinds, share, coded.size > 0);
			if (sure <= (docs.get(one.doc) ?? 0)) continue;
			docs.set(one.doc, sure);
			if (one.line === undefined) lines.delete(one.doc);
			else lines.set(one.doc, one.line);
		}
	}
	return { docs, lines, asWritten };
}

/** How sure one declaration of a name is the one that is meant. Each file of a namespace has a `share` of it. */
function weighDeclaration(
	{ hasBody, kind, name }: Declaration,
	last: string,
	most: number,
	kinds: ReadonlySet<ChunkKind> | undefined,
	share: number,
	isBodyElsewhere: boolean,
): number {
	const whole = hasBody ? 1 : isBodyElsewhere ? SIGNATURE.besideBody : SIGNATURE.alone;
	const asked = kinds === undefined || kinds.has(kind) ? 1 : OTHER_KIND;
	const byKind = (BY_KIND[kind] ?? 0.3) * (kind === "module" ? share : 1);
	return most * whole * asked * (name === last ? 1 : OTHER_CASE) * byKind;
}

/** Whether the name, as written, is that of a declaration of the kinds asked for. */
export function isDeclared(snapshot: Snapshot, reader: IndexReader, asked: AskedDeclaration): boolean {
	const { name, last } = partsOf(asked.name);
	const { kinds } = asked;
	for (const one of declarations(snapshot, reader, name.toLowerCase())) {
		if (one.name === last && (kinds === undefined || kinds.has(one.kind))) return true;
	}
	return false;
}

/** Whether a constant, field or variable has the name and owner as written, and a kind that is asked for. */
export function isListed({ name, kinds }: AskedDeclaration, listings: Listings): boolean {
	const { last, owner } = partsOf(name);
	return findListedNames(last, owner, listings).some(({ kind }) => kinds === undefined || kinds.has(kind));
}

/** A name with dots between its parts, its last part, and what owns that. */
function partsOf(written: string): { readonly name: string; readonly last: string; readonly owner?: string } {
	const name = written.replaceAll(OWNED, ".");
	const [last = "", owner] = name.split(".").reverse();
	return { name, last, ...(owner !== undefined && { owner }) };
}

/** Adds the constants, fields and variables that have the name as written but no chunk of their own. */
export function addListedNames(name: string, definitions: Definitions, listings: Listings): Definitions {
	const { last, owner } = partsOf(name);
	const listed = findListedNames(last, owner, listings);
	// With capitals the case is meant: `content_type` is not `CONTENT_TYPE`.
	const share = listed.length > 0 && /\p{Lu}/u.test(last) ? BESIDE_LISTED : 1;
	const docs = new Map([...definitions.docs].map(([doc, sure]) => [doc, share * sure]));
	const lines = new Map(definitions.lines);
	for (const { doc, kind, line } of listed) {
		const isLooseField = owner === undefined && kind === "property";
		const sure = (owner === undefined ? 1 : QUALIFIED) * (isLooseField ? LOOSE_FIELD : (BY_KIND[kind] ?? 0.3));
		if (sure <= (docs.get(doc) ?? 0)) continue;
		docs.set(doc, sure);
		lines.set(doc, line);
	}
	return { docs, lines };
}

type Declaration = {
	readonly doc: number;
	readonly kind: ChunkKind;
	readonly name: string;
	readonly hasBody: boolean;
	/** Absent if the chunk is the declaration's own. */
	readonly line?: number;
};

/** The live chunks that declare a name, given in lower case. */
function* declarations(snapshot: Snapshot, reader: IndexReader, wanted: string): Generator<Declaration> {
	for (const segment of snapshot.segments) {
		const row = reader.postings(segment.id, makeFactTerm("symbol", wanted));
		if (!row) continue;
		for (const local of decodePostings(row.bytes, row.count, segment.docs).docs) {
			const doc = segment.base + local;
			if (snapshot.alive[doc] === 0) continue;
			const name = segment.names().at(local);
			const qualifiedName = segment.qualifiedNames().at(local).toLowerCase();
			const isOwn = name.toLowerCase() === wanted || qualifiedName === wanted;
			const inner = isOwn ? [] : [...innerDeclarations(snapshot, reader, doc, wanted)];
			yield* inner;
			// The wanted name may lack the namespace of the file.
			if (!isOwn && (inner.length > 0 || !qualifiedName.endsWith(`.${wanted}`))) continue;
			// Only the first part of a long declaration counts as its definition.
			if (((segment.columns.flags[local] ?? 0) & FLAG.laterPart) !== 0) continue;
			yield { doc, kind: CHUNK_KINDS[segment.columns.kind[local] ?? 0] ?? "block", name, hasBody: true };
		}
	}
}

function* innerDeclarations(
	snapshot: Snapshot,
	reader: IndexReader,
	doc: number,
	wanted: string,
): Generator<Declaration> {
	const file = snapshot.files[snapshot.fileOf[doc] ?? 0];
	if (!file) return;
	const details = reader.details(file.segment.id, file.ordinal);
	for (const { kind, name, owner, line, hasBody } of unpackFunctions(details?.functions, doc - file.first)) {
		const qualifiedName = `${owner}.${name}`.toLowerCase();
		const isWanted = name.toLowerCase() === wanted || qualifiedName === wanted || qualifiedName.endsWith(`.${wanted}`);
		if (isWanted) yield { doc, kind, name, hasBody, line };
	}
}

/** A constant, field or variable that has no chunk of its own: the chunk that lists it, and its line there. */
type ListedName = {
	readonly doc: number;
	readonly kind: ChunkKind;
	readonly line: number;
};

type Listings = {
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
function findListedNames(name: string, owner: string | undefined, listings: Listings): ListedName[] {
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
