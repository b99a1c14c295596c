import { CleatsError } from "../contract/errors.ts";
import { CHUNK_KINDS } from "../parse/chunk.ts";
import { declarationParts, wholeLines } from "../query/declarationParts.ts";
import { type PackedFunction, unpackFunctions } from "../segment/innerFunctions.ts";
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
		for (let local = file.firstDoc; local < file.firstDoc + file.docs; local++) {
			const name = names().at(local);
			const parts = declarationParts(file, local);
			if (name !== "" && parts[0] === local) {
				const signature = signatures().at(local);
				entries.push({
					path: file.path,
					...wholeLines(file, parts),
					kind: CHUNK_KINDS[columns.kind[local] ?? 0] ?? "block",
					name,
					qualifiedName: qualifiedNames().at(local),
					...(signature !== "" && { signature }),
				});
			}
			entries.push(...functionsIn(file.path, details?.functions, local - file.firstDoc));
		}
		return entries;
	});
}

/** The functions of a chunk that are not its declaration: signatures, and methods of a type written on one line. */
function functionsIn(path: string, packed: readonly PackedFunction[] | undefined, chunk: number): MapEntry[] {
	return unpackFunctions(packed, chunk).map(({ kind, name, owner, line }) => {
		return {
			path,
			startLine: line,
			endLine: line,
			kind,
			name,
			qualifiedName: owner === "" ? name : `${owner}.${name}`,
		};
	});
}
