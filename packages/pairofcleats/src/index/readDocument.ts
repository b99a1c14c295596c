import { join } from "node:path";
import type { SourceText } from "../discover/readSource.ts";
import { readRegularFile } from "../files/readFiles.ts";
import type { Chunk, ParsedFile } from "../parse/chunk.ts";
import { type DocumentFormat, extractDocument } from "../parse/documents/extractDocument.ts";

export type ReadDocument =
	| { readonly kind: "document"; readonly source: Extract<SourceText, { kind: "text" }>; readonly parsed: ParsedFile }
	| { readonly kind: "oversize" | "missing" | "unreadable" | "failed" | "readerMissing" };

/** Turns a PDF or DOCX into a prose file: a chunk per page or group of paragraphs. */
export async function readDocument(
	root: string,
	path: string,
	format: DocumentFormat,
	maxFileBytes: number,
): Promise<ReadDocument> {
	const read = readRegularFile(join(root, path), maxFileBytes);
	if (read.kind !== "bytes") return read;
	const extracted = await extractDocument(format, read.bytes);
	if (extracted.kind !== "text") return { kind: extracted.kind };
	let text = "";
	let line = 1;
	const chunks = extracted.prose.map((piece): Chunk => {
		const body = `${piece.text.trimEnd()}\n`;
		const lines = body.split("\n").length - 1;
		const name = format === "pdf" ? `page ${piece.startLine}` : "";
		const chunk = {
			startLine: line,
			endLine: line + lines - 1,
			start: text.length,
			end: text.length + body.length,
			kind: "section",
			name,
			qualifiedName: name,
		} as const;
		text += body;
		line += lines;
		return chunk;
	});
	return {
		kind: "document",
		source: {
			kind: "text",
			text,
			utf8: Buffer.from(text, "utf8"),
			encoding: "utf-8",
			bytes: read.bytes.length,
			mtimeMs: read.mtimeMs,
			generated: false,
		},
		parsed: { language: format, imports: [], exports: [], chunks, prose: [], parseErrors: [], method: "format" },
	};
}
