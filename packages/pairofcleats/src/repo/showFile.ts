import { CleatsError, invalidField } from "../contract/errors.ts";
import type { OpenIndex } from "./openIndex.ts";
import type { FileText, LineRange } from "./repository.ts";

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
