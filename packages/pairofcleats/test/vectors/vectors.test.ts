import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { buildIndex, updateIndex } from "../../src/index/indexer.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import type { Repository } from "../../src/repo/repository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { type Embedder, embedQuery, listRows, normaliseVector } from "../../src/vectors/embedder.ts";
import { readModel } from "../../src/vectors/readModel.ts";
import { findQuantum, makeRowSum, type SegmentVectors, VectorLog } from "../../src/vectors/vectorLog.ts";
import { VectorScan } from "../../src/vectors/vectorScan.ts";

/** Two meanings on two axes: words about money and words about weather. */
const WORDS = {
	invoice: [1, 0],
	billing: [0.9, 0.1],
	payment: [0.95, 0],
	storm: [0, 1],
	rain: [0.1, 0.9],
	forecast: [0, 0.95],
};

/** Writes a model in the layout of model2vec. */
function writeModel(folder: string, dtype: "F32" | "F16" = "F32"): void {
	mkdirSync(folder, { recursive: true });
	const rows = Object.values(WORDS);
	const numbers = rows.flat();
	const data =
		dtype === "F32"
			? Buffer.from(Float32Array.from(numbers).buffer)
			: Buffer.from(Uint16Array.from(numbers, toHalf).buffer);
	const header = Buffer.from(
		JSON.stringify({ embeddings: { dtype, shape: [rows.length, 2], data_offsets: [0, data.length] } }),
	);
	const length = Buffer.alloc(8);
	length.writeBigUInt64LE(BigInt(header.length));
	writeFileSync(join(folder, "model.safetensors"), Buffer.concat([length, header, data]));
	const vocab = Object.fromEntries(Object.keys(WORDS).map((word, row) => [word, row]));
	writeFileSync(join(folder, "tokenizer.json"), JSON.stringify({ model: { type: "WordPiece", vocab } }));
}

function toHalf(value: number): number {
	if (value === 0) return 0;
	const exponent = Math.floor(Math.log2(value));
	return ((exponent + 15) << 10) | Math.round((value / 2 ** exponent - 1) * 1024);
}

/** A model that knows no words. */
const NO_MODEL = {
	id: "none",
	row: () => -1,
	tokens: () => [],
	documentWeight: () => 0,
	queryWeight: () => 0,
} as const;

/** A scan of an index with one segment. */
function scanOf(vectors: SegmentVectors, files: readonly { first: number; docs: number }[]): VectorScan {
	const segments = [{ id: 1, base: 0 }];
	return new VectorScan({ segments, files }, vectors.dims, () => vectors);
}

function withFolder(body: (folder: string) => Promise<void> | void): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "pairofcleats-model-"));
	return Promise.resolve(body(folder)).finally(() => rmSync(folder, { recursive: true, force: true }));
}

/** A model, a repository of two texts, and a place for its index. */
function modelAndTexts(folder: string, a: string, b: string): { readonly root: string; readonly cacheRoot: string } {
	writeModel(join(folder, "model"));
	const root = join(folder, "repo");
	mkdirSync(root);
	writeFileSync(join(root, "a.txt"), a);
	writeFileSync(join(root, "b.txt"), b);
	return { root, cacheRoot: join(folder, "cache") };
}

test("a model2vec folder is read in both precisions, and similar words have similar vectors", () =>
	withFolder((folder) => {
		for (const dtype of ["F32", "F16"] as const) {
			writeModel(join(folder, dtype), dtype);
			const model = readModel(join(folder, dtype));
			const query = embedQuery(model, "payment billing");
			const log = new VectorLog(model);
			for (const [doc, text] of ["storm rain", "invoice invoice", "nothing known"].entries()) {
				log.startFile("x");
				log.startChunk(doc);
				log.addWord(listRows(model, text));
				log.endFile();
			}
			assert.ok(query);
			const vectors = log.finish();
			assert.deepEqual([...vectors.docs], [0, 1], "a file of unknown words has no vector");
			const files = [0, 1, 2].map((first) => ({ first, docs: 1 }));
			const scan = scanOf(vectors, files);
			scan.ask(query);
			const [weather = 1, money = 0] = scan.ofAll();
			assert.deepEqual([scan.ofFile(0), scan.ofFile(1), scan.ofFile(2)].map(Math.fround), [weather, money, -1]);
			assert.ok(money > 0.98);
			assert.ok(weather < 0.3);
			assert.deepEqual([...scan.starts], [0, 1, 2, 2]);
			assert.equal(embedQuery(model, "unheard of"), undefined);
		}
	}));

test("small chunks share a vector, a large one has several, and each has its first chunk", () =>
	withFolder((folder) => {
		writeModel(folder);
		const model = readModel(folder);
		const log = new VectorLog(model);
		log.startFile("small");
		for (let doc = 0; doc < 5; doc++) {
			log.startChunk(doc);
			log.addWord(listRows(model, "storm"));
		}
		log.endFile();
		log.startFile("large");
		log.startChunk(5);
		for (let word = 0; word < 400; word++) log.addWord(listRows(model, "storm"));
		log.startChunk(6);
		for (let word = 0; word < 400; word++) log.addWord(listRows(model, "invoice"));
		log.endFile();
		const vectors = log.finish();
		assert.deepEqual([...vectors.docs], [0, 5, 5, 6, 6]);
		const files = [
			{ first: 0, docs: 5 },
			{ first: 5, docs: 0 },
			{ first: 5, docs: 2 },
		];
		assert.deepEqual([...scanOf(vectors, files).starts], [0, 1, 1, 5]);
		assert.deepEqual([...vectors.data], [0, 127, 0, 127, 0, 127, 127, 0, 127, 0]);
	}));

test("the scan equals a plain dot product, with any number of dimensions", () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 0, max: 40 }), fc.integer(), (dims, count, seed) => {
			let state = seed;
			const noise = (): number => {
				state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
				return (state >> 8) / 0x3fffff - 1;
			};
			const data = Int8Array.from({ length: dims * count }, () => Math.round(127 * noise()));
			const docs = Uint32Array.from({ length: count }, (_, doc) => doc);
			const scan = scanOf({ model: "m", dims, docs, data }, [{ first: 0, docs: count }]);
			const query = Float64Array.from({ length: dims }, noise);
			normaliseVector(query);
			scan.ask(query);
			const found = scan.ofAll();
			assert.equal(found.length, count);
			for (const [place, similarity] of found.entries()) {
				const plain =
					query.reduce((sum, value, at) => sum + value * (data[place * dims + at] ?? 0), 0) / findQuantum(dims);
				assert.ok(Math.abs(similarity - plain) < 2e-3 * Math.sqrt(dims), `${similarity} against ${plain}`);
			}
		}),
		{ numRuns: 60 },
	);
});

test("sums of byte rows equal those of float rows, with any number of dimensions", () => {
	const rows = 3;
	const cases = fc
		.integer({ min: 1, max: 70 })
		.chain((dims) => fc.int8Array({ minLength: rows * dims, maxLength: rows * dims }))
		.chain((table) => fc.tuple(fc.constant(table), fc.array(fc.tuple(fc.nat(rows - 1), fc.double({ noNaN: true })))));
	fc.assert(
		fc.property(cases, ([table, terms]) => {
			const sumOf = (embedded: Embedder["table"]): Float64Array => {
				const { vector, add } = makeRowSum({ ...NO_MODEL, dims: embedded.length / rows, table: embedded });
				for (const [row, weight] of terms) add(row, weight);
				return vector;
			};
			assert.deepEqual(sumOf(table), sumOf(Float32Array.from(table)));
		}),
	);
});

test("a truncated, foreign or altered model is an error with the reason", () =>
	withFolder((folder) => {
		writeModel(folder);
		writeFileSync(join(folder, "model.safetensors"), "short");
		assert.throws(() => readModel(folder), /model\.safetensors is truncated/);
		writeFileSync(join(folder, "table"), "HFTX-not-a-table".repeat(10));
		assert.throws(() => readModel(join(folder, "table")), /not a token table/);
	}));

test("with a model, meaning lifts a file that shares fewer words; without one, or turned off, words decide", () =>
	withFolder(async (folder) => {
		const { root, cacheRoot } = modelAndTexts(
			folder,
			"handler notes: storm rain forecast rain storm\n",
			"handler notes: invoice invoice invoice text\n",
		);
		const embedder = readModel(join(folder, "model"));
		await buildIndex({ root, folder: openIndexFolder(cacheRoot, root), embedder });
		const repository = openRepository(root, { cacheRoot, model: join(folder, "model") });
		const first = async (ann: boolean | null): Promise<string | undefined> =>
			(await repository.search({ query: "billing payment handler notes", mode: "all", ann })).hits[0]?.path;
		assert.equal(await first(null), "b.txt");
		const { hits } = await repository.search({ query: "billing payment handler notes", mode: "all", explain: true });
		assert.ok((hits[0]?.scoreParts?.vector ?? 0) > 0);
		const unsaid = await repository.search({ query: "payment", mode: "all" });
		assert.equal(unsaid.hits[0]?.path, "b.txt", "found by meaning alone");
		assert.deepEqual(unsaid.warnings, [
			{
				code: "unknown_word",
				field: "query",
				message: "nothing indexed has these words; what is nearest in meaning is shown",
			},
		]);
		const filtered = await repository.search({ query: "payment", mode: "all", path: "b.txt" });
		assert.equal(filtered.hits[0]?.path, "b.txt");
		assert.match(filtered.warnings[0]?.message ?? "", /^nothing that the filters let through has these words;/);
		assert.deepEqual((await repository.search({ query: "payment handler", mode: "all" })).warnings, []);
		assert.equal((await repository.search({ query: "payment", mode: "all", ann: false })).hits.length, 0);
		const off = await repository.search({
			query: "billing payment handler notes",
			mode: "all",
			ann: false,
			explain: true,
		});
		assert.ok(off.hits.every(({ scoreParts }) => scoreParts?.vector === 0));
		assert.deepEqual((await repository.status()).vectors, { model: embedder.id, chunks: 2 });
		await repository.close();
		const other = openRepository(root, { cacheRoot, model: null });
		const { warnings } = await other.search({ query: "billing", ann: true });
		assert.deepEqual(
			warnings.map(({ code }) => code),
			["vectors_unavailable"],
		);
		await other.close();
	}));

test("with an unreadable model, search goes by words and warns", () =>
	withFolder(async (folder) => {
		const root = join(folder, "repo");
		mkdirSync(root);
		writeFileSync(join(root, "a.ts"), "export const kept = 1;\n");
		writeFileSync(join(folder, "bad"), "not a model");
		const cacheRoot = join(folder, "cache");
		await buildIndex({ root, folder: openIndexFolder(cacheRoot, root) });
		const repository = openRepository(root, { cacheRoot, model: join(folder, "bad") });
		const { hits, warnings } = await repository.search({ query: "kept" });
		assert.equal(hits[0]?.path, "a.ts");
		assert.deepEqual(
			warnings.map(({ message }) => message),
			["the embedding model is unreadable; the search used words alone"],
		);
		assert.deepEqual((await repository.search({ query: "kept", ann: false })).warnings, []);
		await repository.close();
	}));

test("an update without the model keeps all vectors, and the next search with it adds those that are missing", () =>
	withFolder(async (folder) => {
		const { root, cacheRoot } = modelAndTexts(folder, "storm rain\n", "invoice\n");
		const target = { root, folder: openIndexFolder(cacheRoot, root) };
		const embedder = readModel(join(folder, "model"));
		await buildIndex({ ...target, embedder });
		const using = async <Value>(model: string | null, ask: (opened: Repository) => Promise<Value>): Promise<Value> => {
			const opened = openRepository(root, { cacheRoot, model, freshnessMs: 0 });
			return ask(opened).finally(() => opened.close());
		};
		const stateOf = async (model: string | null): Promise<unknown> => {
			const { stale, vectors } = await using(model, (opened) => opened.status());
			return [stale.changed, vectors];
		};
		const foundBy = async (query: string): Promise<unknown> => {
			const search = { query, mode: "all" } as const;
			const { hits, warnings } = await using(join(folder, "model"), (opened) => opened.search(search));
			return [hits[0]?.path, warnings.map(({ code }) => code)];
		};
		// More edits than small segments are kept apart.
		for (let edit = 0; edit < 12; edit++) {
			writeFileSync(join(root, "b.txt"), `invoice ${"!".repeat(edit)}\n`);
			writeFileSync(join(root, `c${edit}.txt`), "plain\n");
			await updateIndex(target);
		}
		await using(null, (opened) => opened.search({ query: "plain", mode: "all" }));
		assert.deepEqual(await stateOf(null), [0, { model: embedder.id, chunks: 1 }]);
		assert.deepEqual(await stateOf(join(folder, "model")), [13, { model: embedder.id, chunks: 1 }]);
		assert.deepEqual(await foundBy("forecast"), ["a.txt", ["unknown_word"]]);
		assert.deepEqual(await foundBy("payment"), ["b.txt", ["unknown_word"]]);
		assert.deepEqual(await stateOf(join(folder, "model")), [0, { model: embedder.id, chunks: 2 }]);
	}));

test("an index built without a model gets its vectors from the next search that has one", () =>
	withFolder(async (folder) => {
		const { root, cacheRoot } = modelAndTexts(folder, "storm rain\n", "invoice\n");
		const model = join(folder, "model");
		for (const freshnessMs of [0, 1]) {
			await buildIndex({ root, folder: openIndexFolder(cacheRoot, root) });
			const without = openRepository(root, { cacheRoot, model: null, freshnessMs });
			await without.search({ query: "storm", mode: "all" });
			const { stale, vectors } = await without.status();
			assert.deepEqual([stale.changed, vectors], [0, { model: null, chunks: 0 }]);
			await without.close();
			const repository = openRepository(root, { cacheRoot, model, freshnessMs });
			assert.equal((await repository.status()).stale.changed, 2);
			const { hits, warnings } = await repository.search({ query: "payment", mode: "all", ann: true });
			assert.equal(hits[0]?.path, "b.txt");
			assert.deepEqual(
				warnings.map(({ code }) => code),
				["unknown_word"],
			);
			const after = await repository.status();
			assert.deepEqual([after.stale.changed, after.vectors], [0, { model: readModel(model).id, chunks: 2 }]);
			await repository.close();
		}
	}));

test("an update with another model gives every file its vectors", () =>
	withFolder(async (folder) => {
		const { root, cacheRoot } = modelAndTexts(folder, "storm rain\n", "invoice\n");
		const target = { root, folder: openIndexFolder(cacheRoot, root) };
		writeModel(join(folder, "other"), "F16");
		await buildIndex({ ...target, embedder: readModel(join(folder, "other")) });
		const repository = openRepository(root, { cacheRoot, model: join(folder, "model") });
		const { warnings } = await repository.search({ query: "storm", mode: "all" });
		assert.match(warnings[0]?.message ?? "", /^the index holds vectors of .*, not of .*, until it is updated;/);
		const embedder = readModel(join(folder, "model"));
		const { kind } = await updateIndex({ ...target, embedder });
		assert.equal(kind, "build");
		assert.deepEqual((await repository.status()).vectors, { model: embedder.id, chunks: 2 });
		assert.deepEqual((await repository.search({ query: "storm", mode: "all" })).warnings, []);
		await repository.close();
	}));
