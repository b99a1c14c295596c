import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CleatsError, invalidField } from "../contract/errors.ts";
import { classifyPath } from "../discover/classifyPath.ts";
import type { FoundFile } from "../discover/discoverFiles.ts";
import type { SourceText } from "../discover/readSource.ts";
import { readRegularFile } from "../files/readFiles.ts";
import { type Blame, type LineAuthors, listAuthors } from "../git/blame.ts";
import type { Chunk, ParsedFile } from "../parse/chunk.ts";
import type { DocumentFormat } from "../parse/documents/extractDocument.ts";
import { extractDocument } from "../parse/documents/extractDocument.ts";
import { parseFile } from "../parse/parseFile.ts";
import { readRiskRules } from "../parse/risk/rules/readRiskRules.ts";
import type { RiskRules } from "../parse/risk/rules/rules.ts";
import { findModeOfPath, type IndexedFile } from "../segment/indexedFile.ts";

/** Parses a file's text and gathers what the index stores about it. */
export async function parseSource(
	file: FoundFile,
	source: Extract<SourceText, { kind: "text" }>,
	hash: string,
	document: ParsedFile | undefined,
	options: { readonly riskRules: RiskRules | undefined; readonly blame: Blame | undefined },
): Promise<IndexedFile> {
	const record = file.isRecord === true;
	const rules = options.riskRules && { riskRules: options.riskRules };
	const parsed = document ?? (record ? oneRecord(source.text) : await parseFile(file.path, source.text, rules));
	const role = record ? "source" : classifyPath(file.path);
	const blamed: LineAuthors | undefined = record ? undefined : await options.blame?.(file.path);
	return {
		path: file.path,
		mode: record ? "records" : findModeOfPath(file.path),
		role: role === "source" && source.generated ? "generated" : role,
		text: source.text,
		utf8: source.utf8,
		hash,
		bytes: source.bytes,
		parsed,
		...(blamed && {
			authors: [...parsed.chunks, ...parsed.prose].map(({ startLine, endLine }) =>
				listAuthors(blamed, startLine, endLine),
			),
		}),
	};
}

/** A record is always one chunk. */
function oneRecord(text: string): ParsedFile {
	const chunk = {
		startLine: 1,
		endLine: text.split("\n").length,
		start: 0,
		end: text.length,
		kind: "record",
		name: "",
		qualifiedName: "",
	} as const;
	return { language: "json", imports: [], exports: [], chunks: [chunk], prose: [], parseErrors: [], method: "format" };
}

type ReadDocument =
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

const MOST_BYTES = 1024 * 1024;

/** The validated text of a user's risk rules; `undefined` if no file is named. */
export async function readGivenRules(path: string | undefined): Promise<string | undefined> {
	if (path === undefined) return undefined;
	const info = await stat(path).catch(() => undefined);
	if (!info?.isFile())
		throw new CleatsError("NOT_FOUND", `riskRules: there is no file ${JSON.stringify(path)}`, { field: "riskRules" });
	if (info.size > MOST_BYTES) throw invalidField("riskRules", `a file of at most ${MOST_BYTES} bytes`, info.size);
	const text = await readFile(path, "utf8").catch(() => {
		throw invalidField("riskRules", "a file that can be read", path);
	});
	readRiskRules(text);
	return text;
}

/** An empty text means the built-in rules. */
export function parseStoredRules(text: string): RiskRules | undefined {
	return text === "" ? undefined : readRiskRules(text, "kept");
}
