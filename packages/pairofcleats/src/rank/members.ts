import { CHUNK_KINDS, type ChunkKind } from "../parse/chunk.ts";
import type { ConditionContext } from "../query/conditions.ts";
import { declarationParts } from "../query/declarationParts.ts";
import { locate, type Snapshot } from "../store/snapshot.ts";
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
export function withMembers(
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
	const parts = [...declarationParts(file, doc - base)];
	// The lines between nested declarations are chunks of their own.
	for (let local = doc - base + 1; local < file.firstDoc + file.docs; local++) {
		if (kindOf(local) === "block") parts.push(local);
	}
	return parts.map((local) => base + local);
}

function qualifiedName(snapshot: Snapshot, doc: number): string {
	const { segment, local } = locate(snapshot, doc);
	return segment.qualifiedNames().at(local).toLowerCase();
}

function lineOf(snapshot: Snapshot, doc: number): number {
	const { segment, local } = locate(snapshot, doc);
	return segment.columns.startLine[local] ?? 1;
}
