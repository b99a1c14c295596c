import assert from "node:assert/strict";
import { rmSync, statSync, truncateSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { isCleatsError } from "../../src/contract/errors.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { indexFolder } from "../../src/store/indexFolder.ts";
import { runCaptured } from "../cli/captured.ts";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

const FILES = Object.fromEntries(
	Array.from({ length: 40 }, (_, at) => [`f${at}.ts`, `export function openSession${at}() {\n\treturn ${at};\n}\n`]),
);
const ADVICE = "pairofcleats: the index cannot be read; build it again: pairofcleats index build";

test("every command says of a damaged index that it must be built again", async (t) => {
	const fixture = await fixtureOf(FILES);
	t.after(fixture.remove);
	const previous = process.env.PAIROFCLEATS_CACHE_ROOT;
	process.env.PAIROFCLEATS_CACHE_ROOT = fixture.cacheRoot;
	t.after(() => {
		if (previous === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = previous;
	});
	const file = fileOf(fixture);
	for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
	truncateSync(file, Math.floor(statSync(file).size / 2));
	for (const words of [["search", "openSession7"], ["index", "update"], ["index", "status"], ["map"]]) {
		const { code, errors } = await runCaptured([...words, "--repo", fixture.root]);
		assert.deepEqual([code, errors[0]], [3, ADVICE], words.join(" "));
	}
});

test("a stored list that nobody could have written is damage too", async (t) => {
	const fixture = await fixtureOf(FILES);
	t.after(fixture.remove);
	const database = new DatabaseSync(fileOf(fixture));
	database.exec("UPDATE terms SET block = substr(block, 1, length(block) / 2)");
	database.close();
	const damaged = { code: "NO_INDEX", details: { reason: "damaged" } };
	await assert.rejects(fixture.repository.search({ query: "openSession7" }), damaged);
});

/** The rows of an index that are found by a key, and all that is stored of them in one block. */
const BLOCKS = [
	["terms", "block"],
	["trigrams", "block"],
	["texts", "block"],
	["details", "block"],
	["segments", "columns"],
	["segments", "names"],
	["segments", "qualifiedNames"],
	["segments", "signatures"],
	["segments", "files"],
] as const;
const PLACES = 24;

test("a bit that flips anywhere in a stored block is found", async (t) => {
	const fixture = await fixtureOf(FILES);
	t.after(fixture.remove);
	await fixture.repository.close();
	const database = new DatabaseSync(fileOf(fixture));
	t.after(() => database.close());
	for (const [table, column] of BLOCKS) {
		const row = database.prepare(`SELECT rowid AS id, ${column} AS block FROM ${table} ORDER BY rowid LIMIT 1`).get();
		assert.ok(row && row.block instanceof Uint8Array, table);
		const put = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`);
		for (let place = 0; place < PLACES; place += 1) {
			const at = Math.floor((place / PLACES) * row.block.length);
			const flipped = row.block.with(at, (row.block[at] ?? 0) ^ (1 << (place % 8)));
			put.run(flipped, Number(row.id));
			assert.equal(await isFound(fixture), true, `${table}.${column}, byte ${at} of ${row.block.length}`);
		}
		put.run(row.block, Number(row.id));
	}
	assert.equal(await isFound(fixture), false);
});

test("a term under another key is found", async (t) => {
	const fixture = await fixtureOf(FILES);
	t.after(fixture.remove);
	const database = new DatabaseSync(fileOf(fixture));
	database.exec("UPDATE terms SET first = first || 'a' WHERE id = 2");
	database.close();
	assert.equal(await isFound(fixture), true);
});

/** Whether validation reports damage, or finds too much of it to begin. */
async function isFound({ root, cacheRoot }: Fixture): Promise<boolean> {
	const repository = openRepository(root, { cacheRoot, model: null });
	try {
		return !(await repository.validate()).ok;
	} catch (thrown) {
		if (isCleatsError(thrown) && thrown.details.reason === "damaged") return true;
		throw thrown;
	} finally {
		await repository.close();
	}
}

function fileOf({ root, cacheRoot }: Fixture): string {
	return indexFolder(cacheRoot, root).current() ?? "";
}
