import { CleatsError, invalidField } from "../contract/errors.ts";
import { CHUNK_KINDS } from "../parse/chunk.ts";
import { listParts, spanWholeLines } from "../query/declarationParts.ts";
import { groupNamesByChunk, type InnerFunction, type InnerName, unpackFunctions } from "../segment/packedFacts.ts";
import type { OpenIndex } from "./openIndex.ts";
import type { FileText, LineRange, MapEntry } from "./repository.ts";

const MOST_NAMED = 3;
/** A path followed by lines, or by a line and a column, as hits, compilers and traces print it. */
const PLACE = /^(.+?):(\d+)(?:-(\d+)|:\d+)?$/s;

/**
 * Lines of an indexed file, given by `range` or after the path. Shows indexed files only, so no path leads out of the
 * repository.
 */
export function showFile(index: OpenIndex, path: string, range?: LineRange): FileText {
	const wanted = path.replace(/^\.\//, "");
	const file = index.snapshot.files.find((entry) => entry.alive && entry.path === wanted);
	if (!file) {
		const [, place, first, last = first] = range === undefined ? (PLACE.exec(wanted) ?? []) : [];
		if (place !== undefined) return showFile(index, place, { start: Number(first), end: Number(last) });
		throwIfFolder(index, wanted);
		const like = index.snapshot.files.filter((entry) => entry.alive && entry.path.endsWith(`/${wanted}`));
		const names = like.slice(0, MOST_NAMED).map((entry) => entry.path);
		const hint = names.length === 0 ? "" : `; there is ${names.join(", ")}`;
		throw new CleatsError("NOT_FOUND", `path: expected an indexed file, got ${JSON.stringify(path)}${hint}`, {
			field: "path",
		});
	}
	const text = index.texts.file(file);
	const lines = text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
	const start = range?.start ?? 1;
	const end = Math.min(range?.end ?? lines.length, lines.length);
	if (!Number.isInteger(start) || start < 1 || start > lines.length) {
		throw invalidField("startLine", `a line from 1 to ${lines.length}`, start);
	}
	if (!Number.isInteger(end) || end < start)
		throw invalidField("endLine", `a line from ${start} to ${lines.length}`, range?.end);
	return {
		path: file.path,
		language: file.language,
		startLine: start,
		endLine: end,
		totalLines: lines.length,
		text: lines.slice(start - 1, end).join("\n"),
	};
}

function throwIfFolder({ snapshot }: OpenIndex, path: string): void {
	const folder = path.replace(/\/+$/, "");
	const files = snapshot.files.filter((entry) => entry.alive && entry.path.startsWith(`${folder}/`));
	if (files.length === 0) return;
	const names = files.slice(0, MOST_NAMED).map((entry) => entry.path);
	const some = files.length > names.length ? `${names.join(", ")} and others` : names.join(", ");
	const message = `path: ${JSON.stringify(path)} is a folder, with ${some}; search with path looks inside it`;
	throw new CleatsError("NOT_FOUND", message, { field: "path" });
}

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
			const parts = listParts(file, local);
			const signature = signatures().at(local);
			const chunk: MapEntry = {
				path: file.path,
				...spanWholeLines(file, parts),
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
