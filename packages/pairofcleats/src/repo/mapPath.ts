import { CleatsError } from "../contract/errors.ts";
import { CHUNK_KINDS } from "../parse/chunk.ts";
import { declarationParts, wholeLines } from "../query/declarationParts.ts";
import { groupNamesByChunk, type InnerFunction, type InnerName, unpackFunctions } from "../segment/packedFacts.ts";
import type { OpenIndex } from "./openIndex.ts";
import type { MapEntry } from "./repository.ts";

/** The named declarations of a file, or of all files under a folder, in the order of their paths and lines. */
export function mapPath(index: OpenIndex, path = ""): MapEntry[] {
	const wanted = path.replace(/^\.(?:\/|$)/, "").replace(/\/$/, "");
	const files = index.snapshot.files
		.filter((file) => file.alive && (wanted === "" || file.path === wanted || file.path.startsWith(`${wanted}/`)))
		.sort((a, b) => (a.path < b.path ? -1 : 1));
	if (files.length === 0) {
		const message =
			wanted === ""
				? "no file is indexed here"
				: `path: expected an indexed file or folder, got ${JSON.stringify(path)}`;
		throw new CleatsError("NOT_FOUND", message, { field: "path" });
	}
	return files.flatMap((file) => {
		const { columns } = file.segment;
		const { names, qualifiedNames, signatures } = file.segment;
		const entries: MapEntry[] = [];
		const details = index.reader.details(file.segment.id, file.ordinal);
		const innerNames = groupNamesByChunk(details?.names);
		for (let local = file.firstDoc; local < file.firstDoc + file.docs; local++) {
			const name = names().at(local);
			const parts = declarationParts(file, local);
			const signature = signatures().at(local);
			const chunk: MapEntry = {
				path: file.path,
				...wholeLines(file, parts),
				kind: CHUNK_KINDS[columns.kind[local] ?? 0] ?? "block",
				name,
				qualifiedName: qualifiedNames().at(local),
				...(signature !== "" && { signature }),
			};
			const own = name !== "" && parts[0] === local ? [chunk] : [];
			const place = local - file.firstDoc;
			// In a format, names of the chunk's own kind are the next keys, and no members of the first.
			const isKey = ({ kind }: InnerName) => file.method === "format" && kind === chunk.kind;
			const others = Map.groupBy(innerNames.get(place) ?? [], (name) => isKey(name));
			const keys = (others.get(true) ?? []).map((key) => keyIn(chunk, key));
			const functions = unpackFunctions(details?.functions, place);
			entries.push(...inARow([...own, ...keys]), ...membersOf(chunk, functions, others.get(false) ?? []));
		}
		return entries;
	});
}

function keyIn({ path, endLine }: MapEntry, { kind, name, line }: InnerName): MapEntry {
	return { path, startLine: line, endLine, kind, name, qualifiedName: name };
}

/** Each ends where the next begins. */
function inARow(entries: readonly MapEntry[]): MapEntry[] {
	return entries.map((entry, at) => {
		const next = entries[at + 1];
		return next === undefined ? entry : { ...entry, endLine: Math.max(entry.startLine, next.startLine - 1) };
	});
}

/** What a chunk declares without being its chunk: constants, fields, signatures, methods of a type on one line. */
function membersOf(chunk: MapEntry, functions: readonly InnerFunction[], names: readonly InnerName[]): MapEntry[] {
	const owned = names.filter(({ name }) => name !== chunk.name).map((one) => ({ ...one, owner: chunk.qualifiedName }));
	return [...functions, ...owned]
		.sort((a, b) => a.line - b.line)
		.map(({ kind, name, owner, line }) => {
			const qualifiedName = owner === "" ? name : `${owner}.${name}`;
			return { path: chunk.path, startLine: line, endLine: line, kind, name, qualifiedName };
		});
}
