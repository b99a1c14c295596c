import { CHUNK_KINDS, type ChunkKind } from "../../parse/chunk.ts";
import type { ConditionContext } from "../../query/conditions.ts";
import { listParts } from "../../query/declarationParts.ts";
import { makeFactRange } from "../../segment/factTerms.ts";
import { locateDocument, type Snapshot } from "../../store/snapshot.ts";
import type { IndexReader } from "../../store/store.ts";
import { type Definitions, findDefinitions } from "./definitions.ts";

/** The certainty of a constant given with its owner. */
const SURE = 1.6;
/** A name with more declarations than this is too common to be the owner. */
const MOST_OWNERS = 20;
const OWNERS: ReadonlySet<ChunkKind> = new Set<ChunkKind>([
	...(["class", "interface", "struct", "trait", "enum", "type", "module", "variable", "constant"] as const),
]);

/**
 * Adds to the definitions of `Owner.member` the owner's declarations that list the member, such as an enum's case or a
 * table's key. Adds none if the member has a declaration of its own, as a method has.
 */
export function addMembers(
	name: string,
	definitions: Definitions,
	{ snapshot, reader, texts }: Pick<ConditionContext, "snapshot" | "reader" | "texts">,
): Definitions {
	const [owner, member] = name.split(/::|->|[.#\\]/).slice(-2);
	if (owner === undefined || member === undefined || !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(member)) return definitions;
	const apart = `${owner}.${member}`.toLowerCase();
	for (const doc of definitions.docs.keys()) if (qualifiedName(snapshot, doc).endsWith(apart)) return definitions;
	const owners = [...findDefinitions(snapshot, reader, [owner]).docs.keys()];
	if (owners.length > MOST_OWNERS) return definitions;
	const docs = new Map(definitions.docs);
	const lines = new Map(definitions.lines);
	const declared = memberPattern(member);
	for (const doc of owners.flatMap((first) => partsOf(snapshot, first, owner))) {
		const text = texts.chunk(snapshot, doc);
		const at = declared.exec(text)?.indices?.groups?.member?.[0];
		if (at === undefined) continue;
		docs.set(doc, SURE);
		lines.set(doc, lineOf(snapshot, doc) + text.slice(0, at).split("\n").length - 1);
	}
	return { docs, lines };
}

/**
 * Matches a member where a declaration lists it, at the start of a line or after punctuation, but not in a sentence.
 */
function memberPattern(member: string): RegExp {
	const name = `(?<member>${member.replaceAll("$", "\\$")})`;
	return new RegExp(`(?:^|[={,(|])[^\\S\\n]*(?:[\\w$]+[^\\S\\n]+){0,4}["']?${name}["']?\\s*(?:[,({:=;?|})]|$)`, "dmu");
}

/** The chunks of a declaration and the loose lines after it, if its kind has members. */
function partsOf(snapshot: Snapshot, doc: number, owner: string): number[] {
	const file = snapshot.files[snapshot.fileOf[doc] ?? 0];
	if (!file) return [];
	const { base, columns, names } = file.segment;
	const kindOf = (local: number): ChunkKind => CHUNK_KINDS[columns.kind[local] ?? 0] ?? "block";
	if (!OWNERS.has(kindOf(doc - base)) || names().at(doc - base) !== owner) return [];
	const parts = [...listParts(file, doc - base)];
	// The lines between nested declarations are chunks of their own.
	for (let local = doc - base + 1; local < file.firstDoc + file.docs; local++) {
		if (kindOf(local) === "block") parts.push(local);
	}
	return parts.map((local) => base + local);
}

function qualifiedName(snapshot: Snapshot, doc: number): string {
	const { segment, local } = locateDocument(snapshot, doc);
	return segment.qualifiedNames().at(local).toLowerCase();
}

function lineOf(snapshot: Snapshot, doc: number): number {
	const { segment, local } = locateDocument(snapshot, doc);
	return segment.columns.startLine[local] ?? 1;
}

/**
 * Whether a qualified name belongs to another package, as `os.path.join` does: its owner is imported, and no file or
 * folder of the repository has the owner's name. A declaration here with the same last name is then unrelated.
 */
export function hasForeignOwner(name: string, snapshot: Snapshot, reader: IndexReader): boolean {
	const owners = name.toLowerCase().split(SEPARATOR).slice(0, -1);
	const first = owners[0];
	if (first === undefined || first === "") return false;
	const { called, imported } = namesOf(snapshot, reader);
	return !called.has(first) && (imported.has(first) || imported.has(owners.join()));
}

type Names = {
	/** Names of folders, and of files without their extensions. */
	readonly called: ReadonlySet<string>;
	/** Modules, by full name and by last part. */
	readonly imported: ReadonlySet<string>;
};

/** Safe to cache: a snapshot never changes. */
const NAMES = new WeakMap<Snapshot, Names>();

function namesOf(snapshot: Snapshot, reader: IndexReader): Names {
	const known = NAMES.get(snapshot);
	if (known) return known;
	const called = new Set<string>();
	for (const { path, alive } of snapshot.files) if (alive) for (const part of partsOfPath(path)) called.add(part);
	const imported = new Set<string>();
	const [from, to] = makeFactRange("import");
	for (const { id } of snapshot.segments) {
		for (const { term } of reader.terms(id, from, to)) {
			const module = term.slice(from.length).replace(/\.\*$/, "").toLowerCase().split(SEPARATOR);
			imported.add(module.join()).add(module.at(-1) ?? "");
		}
	}
	const names = { called, imported };
	NAMES.set(snapshot, names);
	return names;
}

/** Separators between a package, its modules and their members, in any language. */
const SEPARATOR = /::|->|[.#:/\\]/;

/** The folders of a path and the file's name without its extension. Dashes become underscores, as in an import. */
function partsOfPath(path: string): string[] {
	return path
		.toLowerCase()
		.replaceAll("-", "_")
		.split("/")
		.map((part) => part.replace(/\.[^.]*$/, ""));
}
