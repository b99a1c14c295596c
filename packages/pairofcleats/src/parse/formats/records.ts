import type { Chunk, Diagnostic } from "../chunk.ts";
import type { LineIndex } from "../lineIndex.ts";
import type { DataChunks } from "./data.ts";

const NAME_KEYS = ["id", "recordId", "name", "title", "key", "_id"] as const;
const MAX_ERRORS = 20;
const MAX_LINE = 1_000_000;

/** Makes a chunk per line of a JSON Lines file. */
export function chunkRecords(lines: LineIndex): DataChunks {
	const chunks: Chunk[] = [];
	const errors: Diagnostic[] = [];
	for (let line = 1; line <= lines.count; line += 1) {
		const text = lines.lineText(line).trim();
		if (text === "") continue;
		const name = recordName(text);
		if (name === undefined && errors.length < MAX_ERRORS)
			errors.push({ line, rule: "parse-error", message: "the line is not one JSON value" });
		const start = lines.startOf(line);
		chunks.push({
			startLine: line,
			endLine: line,
			start,
			end: lines.endOf(line),
			kind: "record",
			name: name ?? "",
			qualifiedName: name ?? "",
		});
	}
	return { chunks, errors };
}

function recordName(text: string): string | undefined {
	if (text.length > MAX_LINE) return "";
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value !== "object" || value === null) return "";
		for (const key of NAME_KEYS) {
			const found: unknown = Reflect.get(value, key);
			if (typeof found === "string" || typeof found === "number") return String(found).slice(0, 120);
		}
		return "";
	} catch {
		return undefined;
	}
}
