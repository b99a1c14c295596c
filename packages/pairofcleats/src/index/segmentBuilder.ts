import { CHUNK_KINDS, type Chunk } from "../parse/chunk.ts";
import { type Embedder, rowsOf } from "../vectors/embedder.ts";
import { VectorLog } from "../vectors/vectorLog.ts";
import { compress, compressJson } from "./blockCompression.ts";
import { COLUMN_TYPES, FLAG, MODES, type Mode, packColumns, type Row } from "./columns.ts";
import { eachFact, type FactField } from "./factTerms.ts";
import type { FileDetails, FileEntry, IndexedFile } from "./indexedFile.ts";
import { PostingLog } from "./postingLog.ts";
import { IN_DOC, IN_FOLDER, IN_NAME, IN_STEM, PostingEncoder, stepOf } from "./postings.ts";
import { recordMeta } from "./recordMeta.ts";
import type { SegmentWriter } from "./store.ts";
import { textTwin } from "./textTwin.ts";
import { TrigramLog } from "./trigrams.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A segment is written when any of these is reached; together they bound the memory of a build. */
const MOST_POSTINGS = 1_500_000;
const MOST_TEXT = 24 * 1024 * 1024;
const MOST_FILES = 16_384;

const LONGEST_LENGTH = 2 ** (8 * COLUMN_TYPES.length.BYTES_PER_ELEMENT) - 1;

type Doc = Pick<Chunk, "startLine" | "endLine" | "start" | "end" | "kind" | "name" | "qualifiedName" | "facts"> & {
	readonly mode: Mode;
	readonly text: string;
	/** It is inside another one's text. */
	readonly comment: boolean;
	readonly authors: readonly string[];
};

/** Turns files into one segment: postings of words and facts, columns of chunks, trigrams, vectors, compressed text. */
export class SegmentBuilder {
	readonly #vocabulary: Vocabulary;
	readonly #log = new PostingLog();
	readonly #trigrams = new TrigramLog();
	readonly #vectors: VectorLog | undefined;
	#stamps = new Uint32Array(1 << 16);
	#counts = new Uint32Array(1 << 16);
	#fields = new Uint8Array(1 << 16);
	#touched: number[] = [];
	#rows: Row[] = [];
	#names: string[] = [];
	#qualifiedNames: string[] = [];
	#signatures: string[] = [];
	#files: FileEntry[] = [];
	/** Compressed at once: a segment of plain text would be most of a build's memory. */
	#blocks: { text: Uint8Array; details: Uint8Array }[] = [];
	#textLength = 0;

	constructor(embedder: Embedder | undefined) {
		this.#vectors = embedder && new VectorLog(embedder);
		this.#vocabulary = new Vocabulary(embedder && ((word) => rowsOf(embedder, word)));
	}

	get fileCount(): number {
		return this.#files.length;
	}

	get full(): boolean {
		return this.#log.length >= MOST_POSTINGS || this.#textLength >= MOST_TEXT || this.#files.length >= MOST_FILES;
	}

	add(file: IndexedFile): void {
		const ordinal = this.#files.length;
		const firstDoc = this.#rows.length;
		const pathTerms = this.#pathTerms(file.path);
		const docs = docsOf(file);
		const errorLines = file.parsed.parseErrors.map(({ line }) => line);
		this.#vectors?.startFile(file.path);
		for (const doc of docs) this.#addDoc(doc, file, ordinal, pathTerms, errorLines);
		this.#vectors?.endFile();
		if (docs.length > 0) this.#addImports(file, firstDoc);
		this.#trigrams.addFile(ordinal, file.text);
		this.#textLength += file.text.length;
		const details: FileDetails = {
			imports: file.parsed.imports,
			exports: file.parsed.exports,
			parseErrors: file.parsed.parseErrors,
			chunks: docs.map(({ facts }) => facts ?? null),
		};
		this.#blocks.push({ text: compress(file.text), details: compressJson(details) });
		this.#files.push({
			path: file.path,
			language: file.parsed.language,
			mode: file.mode,
			role: file.role,
			hash: file.hash,
			bytes: file.bytes,
			method: file.parsed.method,
			parseErrors: file.parsed.parseErrors.length,
			firstDoc,
			docs: docs.length,
		});
	}

	/** Writes what was added as one segment and starts afresh. */
	write(writer: SegmentWriter): void {
		writer.begin({
			docs: this.#rows.length,
			columns: packColumns(this.#rows),
			names: this.#names,
			qualifiedNames: this.#qualifiedNames,
			signatures: this.#signatures,
			files: this.#files,
			...(this.#vectors && { vectors: this.#vectors.finish() }),
		});
		for (const [ordinal, { text, details }] of this.#blocks.entries()) writer.file(ordinal, text, details);
		this.#writeTerms(writer);
		for (const { block, bytes } of this.#trigrams.blocks()) writer.trigrams(block, bytes);
		writer.end();
		this.#reset();
	}

	#writeTerms(writer: SegmentWriter): void {
		const { starts, docs, values } = this.#log.byTerm(this.#vocabulary.size);
		const encoder = new PostingEncoder();
		for (const [term, id] of this.#vocabulary.sorted()) {
			const from = starts[id] ?? 0;
			const to = starts[id + 1] ?? 0;
			if (from === to) continue;
			encoder.start();
			for (let at = from; at < to; at++) encoder.add(docs[at] ?? 0, values[at] ?? 0);
			writer.term(term, to - from, encoder.finish());
		}
	}

	#addDoc(
		doc: Doc,
		file: IndexedFile,
		ordinal: number,
		pathTerms: ReadonlyMap<number, number>,
		errorLines: readonly number[],
	): void {
		const id = this.#rows.length;
		if (!doc.comment) this.#vectors?.startChunk(id);
		const length = this.#countWords(doc.text, doc.comment ? undefined : this.#vectors);
		this.#markWords(doc.name, IN_NAME);
		this.#markWords(doc.facts?.docstring ?? "", IN_DOC);
		for (const [term, field] of pathTerms) this.#mark(term, field);
		this.#logTouched(id);
		this.#addFacts(doc, id);
		this.#names.push(doc.name);
		this.#qualifiedNames.push(doc.qualifiedName);
		this.#signatures.push(doc.facts?.signature ?? "");
		this.#rows.push({
			file: ordinal,
			start: doc.start,
			end: doc.end,
			startLine: doc.startLine,
			endLine: doc.endLine,
			twin: textTwin(doc.text),
			length: Math.min(length, LONGEST_LENGTH),
			flags: flagsOf(doc, file, errorLines),
			kind: CHUNK_KINDS.indexOf(doc.kind),
			mode: MODES.indexOf(doc.mode),
			branches: doc.facts?.branches ?? 0,
			loops: doc.facts?.loops ?? 0,
			breaks: doc.facts?.breaks ?? 0,
			continues: doc.facts?.continues ?? 0,
		});
	}

	#addFacts(doc: Doc, id: number): void {
		const add = (field: FactField, value: string): void => {
			const term = this.#vocabulary.fact(field, value);
			this.#mark(term, 0);
		};
		eachFact(doc, add);
		if (doc.mode === "records") for (const pair of recordMeta(doc.text)) add("meta", pair);
		for (const author of doc.authors) add("chunkAuthor", author);
		this.#logTouched(id);
	}

	/** Imports are asked for by file: one posting, at the first chunk, stands for all of them. */
	#addImports({ parsed }: IndexedFile, firstDoc: number): void {
		const modules = new Set([...parsed.imports, ...parsed.chunks.flatMap(({ facts }) => facts?.imports ?? [])]);
		for (const module of modules) this.#log.add(this.#vocabulary.fact("import", module), firstDoc, 0);
	}

	#countWords(text: string, vectors: VectorLog | undefined): number {
		let length = 0;
		this.#vocabulary.eachWord(text, (terms, rows) => {
			vectors?.addWord(rows);
			for (const term of terms) {
				this.#mark(term, 0);
				this.#counts[term] = (this.#counts[term] ?? 0) + 1;
			}
			length += terms.length;
		});
		return length;
	}

	#markWords(text: string, field: number): void {
		this.#vocabulary.eachWord(text, (terms) => {
			for (const term of terms) this.#mark(term, field);
		});
	}

	/** Writes down the terms met since the last time, each once. */
	#logTouched(doc: number): void {
		for (const term of this.#touched) {
			this.#log.add(term, doc, stepOf(this.#counts[term] ?? 0) | (this.#fields[term] ?? 0));
			this.#stamps[term] = 0;
		}
		this.#touched = [];
	}

	/** First sight of a term in a document clears what the document before left there. */
	#mark(term: number, field: number): void {
		if (term >= this.#stamps.length) this.#growTerms(term);
		if (this.#stamps[term] === 0) {
			this.#stamps[term] = 1;
			this.#counts[term] = 0;
			this.#fields[term] = 0;
			this.#touched.push(term);
		}
		this.#fields[term] = (this.#fields[term] ?? 0) | field;
	}

	#pathTerms(path: string): Map<number, number> {
		const parts = path.split("/");
		const name = parts.pop() ?? "";
		const terms = new Map<number, number>();
		const add = (text: string, field: number): void => {
			this.#vocabulary.eachWord(text, (ids) => {
				for (const id of ids) terms.set(id, (terms.get(id) ?? 0) | field);
			});
		};
		for (const folder of parts.slice(-3)) add(folder, IN_FOLDER);
		add(name.replace(/\.[^.]*$/, ""), IN_STEM);
		return terms;
	}

	#growTerms(term: number): void {
		const size = Math.max(this.#stamps.length * 2, term + 1);
		const stamps = new Uint32Array(size);
		stamps.set(this.#stamps);
		this.#stamps = stamps;
		const counts = new Uint32Array(size);
		counts.set(this.#counts);
		this.#counts = counts;
		const fields = new Uint8Array(size);
		fields.set(this.#fields);
		this.#fields = fields;
	}

	#reset(): void {
		this.#vocabulary.clear();
		this.#log.clear();
		this.#trigrams.clear();
		this.#vectors?.clear();
		this.#rows = [];
		this.#names = [];
		this.#qualifiedNames = [];
		this.#signatures = [];
		this.#files = [];
		this.#blocks = [];
		this.#textLength = 0;
	}
}

/** The chunks of a file, then its comments as prose of their own. */
function docsOf(file: IndexedFile): Doc[] {
	const docs: Doc[] = file.parsed.chunks.map((chunk, index) => ({
		...chunk,
		mode: file.mode,
		text: file.text.slice(chunk.start, chunk.end),
		comment: false,
		authors: file.chunkAuthors?.[index] ?? [],
	}));
	for (const { startLine, endLine, text } of file.parsed.prose) {
		const mode = "extracted-prose";
		docs.push({
			startLine,
			endLine,
			start: 0,
			end: 0,
			kind: "block",
			name: "",
			qualifiedName: "",
			mode,
			text,
			comment: true,
			authors: [],
		});
	}
	return docs;
}

function flagsOf(doc: Doc, file: IndexedFile, errorLines: readonly number[]): number {
	const { facts } = doc;
	let flags = 0;
	if (facts?.async !== undefined) flags |= FLAG.asyncKnown | (facts.async ? FLAG.async : 0);
	if (facts?.generator !== undefined) flags |= FLAG.generatorKnown | (facts.generator ? FLAG.generator : 0);
	if (facts?.returns !== undefined) flags |= FLAG.returnsKnown | (facts.returns ? FLAG.returns : 0);
	if (facts?.branches !== undefined) flags |= FLAG.controlFlowKnown;
	if (facts?.exported === true) flags |= FLAG.exported;
	if (file.role === "test") flags |= FLAG.test;
	if (file.role === "vendored") flags |= FLAG.vendored;
	if (file.role === "generated") flags |= FLAG.generated;
	if (errorLines.some((line) => line >= doc.startLine && line <= doc.endLine)) flags |= FLAG.parseError;
	return flags;
}
