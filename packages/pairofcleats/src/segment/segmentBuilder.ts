import { CHUNK_KINDS, type Chunk, type ChunkFacts } from "../parse/chunk.ts";
import { type Embedder, listRows } from "../vectors/embedder.ts";
import { VectorLog } from "../vectors/vectorLog.ts";
import { ColumnLog, FLAG, MODES, type Mode } from "./columns.ts";
import { eachFact, type FactField } from "./factTerms.ts";
import { FileBlocks } from "./fileBlocks.ts";
import type { FileDetails, FileEntry, IndexedFile, SegmentWriter } from "./indexedFile.ts";
import {
	type InnerFunction,
	type InnerName,
	listInnerFunctions,
	listInnerNames,
	packFacts,
	packFunctions,
	packNames,
} from "./packedFacts.ts";
import { IN_DOC, IN_FOLDER, IN_NAME, IN_STEM } from "./postings.ts";
import { listTrigrams, returnKernel, takeKernel } from "./segmentKernel.ts";
import { StringLog } from "./stringTable.ts";
import { DocumentTerms, Vocabulary } from "./vocabulary.ts";

/** A segment is written when any of these limits is reached; together they bound the memory of a build. */
const MOST_POSTINGS = 1_500_000;
const MOST_TEXT = 24 * 1024 * 1024;
const MOST_FILES = 16_384;
/** From this total size on, memory for a full segment is reserved up front, with a margin for the last file. */
const LARGE = 4 * 1024 * 1024;
const ROOM = { postings: MOST_POSTINGS * 1.1, trigrams: 2_000_000 } as const;

/** All members are always set, because V8 accesses objects of one shape several times faster. */
type Doc = Pick<Chunk, "startLine" | "endLine" | "start" | "end" | "kind" | "name" | "qualifiedName"> & {
	readonly extentEndLine: number;
	readonly namespace: string | undefined;
	readonly facts: ChunkFacts | undefined;
	readonly part: Chunk["part"] | undefined;
	readonly functions: readonly InnerFunction[];
	readonly names: readonly InnerName[];
	/** Those that are found as declarations. A key of a data format is none: many files have the same. */
	readonly listed: readonly InnerName[];
	readonly mode: Mode;
	/** The text of a comment. It is not counted as a range of the file, whose chunks contain it too. */
	readonly comment: string | undefined;
	readonly authors: readonly string[];
};

/** Turns files into one segment: postings of words and facts, columns of chunks, trigrams, vectors, compressed text. */
export class SegmentBuilder {
	readonly #kernel = takeKernel();
	readonly #vocabulary: Vocabulary;
	readonly #vectors: VectorLog | undefined;
	readonly #terms: DocumentTerms;
	readonly #rows = new ColumnLog();
	readonly #names = new StringLog();
	readonly #qualifiedNames = new StringLog();
	readonly #signatures = new StringLog();
	#files: FileEntry[] = [];
	#texts = new FileBlocks();
	#details = new FileBlocks();
	#textLength = 0;
	readonly #share: number;

	/** `bytes`: total size of the files to add. `builders`: how many run in parallel and share one memory limit. */
	constructor(embedder: Embedder | undefined, bytes = 0, builders = 1) {
		this.#share = 1 / builders;
		if (bytes > LARGE) this.#kernel.exports.expect(ROOM.postings * this.#share, ROOM.trigrams * this.#share);
		this.#vectors = embedder && new VectorLog(embedder);
		this.#vocabulary = new Vocabulary(this.#kernel);
		this.#terms = new DocumentTerms(this.#kernel, (word) => (embedder ? listRows(embedder, word) : []));
	}

	get fileCount(): number {
		return this.#files.length;
	}

	get full(): boolean {
		return (
			this.#kernel.exports.postingCount() >= MOST_POSTINGS * this.#share ||
			this.#textLength >= MOST_TEXT * this.#share ||
			this.#files.length >= MOST_FILES
		);
	}

	add(file: IndexedFile): void {
		const ordinal = this.#files.length;
		const firstDoc = this.#rows.length;
		const pathTerms = this.#pathTerms(file.path);
		const docs = docsOf(file);
		this.#terms.startFile(file.text);
		const errorLines = file.parsed.parseErrors.map(({ line }) => line);
		this.#vectors?.startFile(file.path);
		for (const doc of docs) this.#addDoc(doc, file, ordinal, pathTerms, errorLines);
		this.#vectors?.endFile();
		if (docs.length > 0) this.#addImports(file, firstDoc);
		this.#terms.noteTrigrams(ordinal);
		this.#textLength += file.text.length;
		const functions = packFunctions(docs.map((doc) => doc.functions));
		const names = packNames(docs.map((doc) => doc.names));
		const details: FileDetails = {
			imports: file.parsed.imports,
			parseErrors: file.parsed.parseErrors,
			chunks: docs.map(({ facts }) => (facts ? packFacts(facts) : null)),
			...(functions.length > 0 && { functions }),
			...(names.length > 0 && { names }),
		};
		this.#texts.add(file.utf8);
		this.#details.add(Buffer.from(JSON.stringify(details)));
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

	/** Writes the files added so far as one segment and starts the next. */
	write(writer: SegmentWriter): number {
		writer.begin({
			docs: this.#rows.length,
			columns: this.#rows.packed(),
			names: this.#names.packed(),
			qualifiedNames: this.#qualifiedNames.packed(),
			signatures: this.#signatures.packed(),
			files: this.#files,
			...(this.#vectors && { vectors: this.#vectors.finish() }),
		});
		for (const row of this.#texts.finish()) writer.texts(row);
		for (const row of this.#details.finish()) writer.details(row);
		this.#writeTerms(writer);
		for (const { trigram, files } of listTrigrams(this.#kernel)) writer.trigram(trigram, files);
		const segment = writer.end();
		this.#reset();
		return segment;
	}

	/** Call this after the last file, but not after a failure: the next builder would inherit a half-done document. */
	close(): void {
		returnKernel(this.#kernel);
	}

	#writeTerms(writer: SegmentWriter): void {
		const { exports } = this.#kernel;
		exports.sortPostings();
		for (const [term, id] of this.#vocabulary.sorted()) {
			const count = exports.countOf(id);
			if (count === 0) continue;
			const length = exports.encode(id);
			const at = exports.encodedAt();
			writer.term(term, count, this.#kernel.bytes.subarray(at, at + length));
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
		if (doc.comment === undefined) this.#vectors?.startChunk(id);
		const { length, twinLow, twinHigh } =
			doc.comment === undefined
				? this.#terms.countBody(doc.start, Math.min(doc.end, file.text.length), this.#vectors)
				: this.#terms.countText(doc.comment);
		this.#terms.markText(doc.name, IN_NAME);
		this.#terms.markText(doc.facts?.docstring ?? "", IN_DOC);
		for (const [term, field] of pathTerms) this.#terms.mark(term, field);
		this.#addFacts(doc, file);
		this.#terms.write(id);
		this.#names.add(doc.name);
		this.#qualifiedNames.add(doc.qualifiedName);
		this.#signatures.add(doc.facts?.signature ?? "");
		this.#rows.add({
			file: ordinal,
			start: doc.start,
			end: doc.end,
			startLine: doc.startLine,
			endLine: doc.endLine,
			extentEndLine: doc.extentEndLine,
			twinLow,
			twinHigh,
			length,
			flags: flagsOf(doc, file, errorLines),
			kind: CHUNK_KINDS.indexOf(doc.kind),
			mode: MODES.indexOf(doc.mode),
			branches: doc.facts?.branches ?? 0,
			loops: doc.facts?.loops ?? 0,
			breaks: doc.facts?.breaks ?? 0,
			continues: doc.facts?.continues ?? 0,
		});
	}

	#addFacts(doc: Doc, { text }: IndexedFile): void {
		eachFact(doc, this.#addFact);
		if (doc.mode === "records")
			for (const pair of recordMeta(text.slice(doc.start, doc.end))) this.#addFact("meta", pair);
		for (const author of doc.authors) this.#addFact("chunkAuthor", author);
	}

	readonly #addFact = (field: FactField, value: string): void => this.#terms.mark(this.#vocabulary.fact(field, value));

	/** Import filters apply to whole files, so one posting at the first chunk is enough. */
	#addImports({ parsed }: IndexedFile, firstDoc: number): void {
		const modules = new Set([...parsed.imports, ...parsed.chunks.flatMap(({ facts }) => facts?.imports ?? [])]);
		for (const module of modules) this.#kernel.exports.addPosting(this.#vocabulary.fact("import", module), 0);
		this.#kernel.exports.endRun(firstDoc);
	}

	#pathTerms(path: string): Map<number, number> {
		const parts = path.split("/");
		const name = parts.pop() ?? "";
		const terms = new Map<number, number>();
		const add = (text: string, field: number): void => {
			for (const id of this.#terms.termsOf(text)) terms.set(id, (terms.get(id) ?? 0) | field);
		};
		for (const folder of parts.slice(-3)) add(folder, IN_FOLDER);
		add(name.replace(/\.[^.]*$/, ""), IN_STEM);
		return terms;
	}

	#reset(): void {
		this.#vocabulary.clear();
		this.#kernel.exports.clear();
		this.#terms.clear();
		this.#vectors?.clear();
		this.#rows.clear();
		this.#names.clear();
		this.#qualifiedNames.clear();
		this.#signatures.clear();
		this.#files = [];
		this.#texts = new FileBlocks();
		this.#details = new FileBlocks();
		this.#textLength = 0;
	}
}

/** The chunks of a file, followed by its comments as separate prose documents. */
function docsOf({ parsed, mode, authors: byPlace }: IndexedFile): Doc[] {
	const docs = parsed.chunks.map((chunk, index): Doc => {
		const { startLine, endLine, start, end, kind, name, qualifiedName, namespace, facts, part } = chunk;
		const authors = byPlace?.[index] ?? NOBODY;
		const names = listInnerNames(chunk.symbols);
		return {
			startLine,
			endLine,
			extentEndLine: chunk.extentEndLine ?? endLine,
			start,
			end,
			kind,
			name,
			qualifiedName,
			namespace,
			facts,
			part,
			functions: listInnerFunctions(chunk.symbols),
			names,
			listed: mode === "code" && parsed.method !== "format" ? names : [],
			mode,
			comment: undefined,
			authors,
		};
	});
	const plain = {
		start: 0,
		end: 0,
		kind: "block",
		facts: undefined,
		part: undefined,
		functions: [],
		names: [],
		listed: [],
	} as const;
	const nameless = { ...plain, name: "", qualifiedName: "", namespace: undefined };
	for (const { startLine, endLine, text: comment } of parsed.prose) {
		const authors = byPlace?.[docs.length] ?? NOBODY;
		docs.push({ startLine, endLine, extentEndLine: endLine, ...nameless, mode: "extracted-prose", comment, authors });
	}
	return docs;
}

const NOBODY: readonly string[] = [];

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
	if (doc.part && doc.part.index > 1) flags |= FLAG.laterPart;
	if (doc.part && doc.part.index < doc.part.of) flags |= FLAG.moreParts;
	if (errorLines.some((line) => line >= doc.startLine && line <= doc.endLine)) flags |= FLAG.parseError;
	return flags;
}

/** Fields nested deeper, or beyond this number, are skipped. */
const MAX_DEPTH = 6;
const MAX_FIELDS = 200;

/** The fields of a record as the `meta` filter matches them: `key=value` with dotted keys, in lower case. */
export function recordMeta(text: string): string[] {
	let record: unknown;
	try {
		record = JSON.parse(text);
	} catch {
		return [];
	}
	const pairs: string[] = [];
	flatten(record, "", 0, pairs);
	return pairs;
}

function flatten(value: unknown, key: string, depth: number, pairs: string[]): void {
	if (pairs.length >= MAX_FIELDS || value === undefined) return;
	if (Array.isArray(value)) {
		for (const item of value) flatten(item, key, depth + 1, pairs);
	} else if (typeof value === "object" && value !== null) {
		if (depth >= MAX_DEPTH) return;
		for (const [name, inner] of Object.entries(value)) {
			flatten(inner, key === "" ? name.toLowerCase() : `${key}.${name.toLowerCase()}`, depth + 1, pairs);
		}
	} else if (key !== "") pairs.push(`${key}=${String(value).toLowerCase().slice(0, 300)}`);
}
