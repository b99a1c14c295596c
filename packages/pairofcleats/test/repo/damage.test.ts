import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { isCleatsError } from "../../src/contract/errors.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { runCaptured } from "../cli/captured.ts";
import { type Fixture, fixtureOf, writeFiles } from "../filter/fixtureRepository.ts";

const FILES = Object.fromEntries(
	Array.from({ length: 40 }, (_, at) => [`f${at}.ts`, `export function openSession${at}() {\n\treturn ${at};\n}\n`]),
);

test("a command that meets a damaged index builds it again and keeps the damaged file", async (t) => {
	const fixture = await fixtureOf(FILES);
	t.after(fixture.remove);
	const previous = process.env.PAIROFCLEATS_CACHE_ROOT;
	process.env.PAIROFCLEATS_CACHE_ROOT = fixture.cacheRoot;
	t.after(() => {
		if (previous === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = previous;
	});
	await fixture.repository.close();
	const { path } = openIndexFolder(fixture.cacheRoot, fixture.root);
	for (const words of [
		["search", "openSession7"],
		["index", "update"],
		["index", "status"],
		["map"],
		["show", "f7.ts"],
	]) {
		for (const damage of words[0] === "search" ? [cutInHalf, overwriteHeader] : [overwriteHeader]) {
			const damaged = damage(fileOf(fixture));
			rmSync(join(path, "damaged.sqlite"), { force: true });
			const { code, lines, errors } = await runCaptured([...words, "--repo", fixture.root]);
			assert.equal(code, 0, `${words.join(" ")}: ${errors.join("; ")}`);
			assert.ok(lines.length > 0, words.join(" "));
			assert.deepEqual(readFileSync(join(path, "damaged.sqlite")), damaged, words.join(" "));
			const again = await runCaptured(["search", "openSession7", "--repo", fixture.root]);
			assert.deepEqual([again.code, again.errors.filter((line) => line.includes("damaged"))], [0, []]);
		}
	}
});

test("a server that meets a damaged index has it built again, and says so in one answer", async (t) => {
	const fixture = await fixtureOf(FILES);
	t.after(fixture.remove);
	await fixture.repository.close();
	overwriteHeader(fileOf(fixture));
	const fresh = openRepository(fixture.root, { cacheRoot: fixture.cacheRoot, model: null });
	t.after(() => fresh.close());
	const isBuilt = { code: "NO_INDEX", details: { reason: "being_built", retryable: true } };
	await assert.rejects(fresh.search({ query: "openSession7" }), isBuilt);
	const { hits, warnings } = await afterRepair(() => fresh.search({ query: "openSession7" }));
	assert.equal(hits[0]?.path, "f7.ts");
	const told = [...warnings];
	await until(async () => {
		told.push(...(await fresh.search({ query: "openSession7" })).warnings);
		return told.length > 0;
	}, "the warning");
	told.push(...(await fresh.search({ query: "openSession7" })).warnings);
	assert.deepEqual(
		told.map(({ code }) => code),
		["index_rebuilt"],
	);
});

test("every damaged page of an index, and its manifest, heals with the searches that meet it", async (t) => {
	const fixture = await fixtureOf(FILES);
	t.after(fixture.remove);
	await fixture.repository.close();
	const { path } = openIndexFolder(fixture.cacheRoot, fixture.root);
	const sound = readFileSync(fileOf(fixture));
	const ask = async (): Promise<readonly unknown[]> => {
		const repository = openRepository(fixture.root, { cacheRoot: fixture.cacheRoot, model: null, freshnessMs: 0 });
		try {
			if (!repository.indexed()) await repository.updateIndex();
			const { hits } = await repository.search({ query: '"openSession7"', output: "full" });
			const regex = await repository.search({ query: "/openSession3\\d/" });
			const used = await repository.search({ query: "openSession12", returns: true, signature: "openSession12" });
			await repository.show("f9.ts");
			return [hits.map((hit) => [hit.path, hit.facts]), regex.hits.length, used.hits.map((hit) => hit.path)];
		} finally {
			await repository.close();
		}
	};
	const expected = await ask();
	const pages = sound.length / 4096;
	const broken: [what: string, damage: () => void][] = [
		["the manifest", () => writeFileSync(join(path, "current"), "nonsense\n")],
		["an empty manifest", () => writeFileSync(join(path, "current"), "")],
		["the seen tree", () => writeFileSync(join(path, "tree"), "nonsense")],
		["the lock", () => writeFileSync(join(path, "lock.sqlite"), "nonsense ".repeat(100))],
		["an empty file", () => truncateSync(fileOf(fixture), 0)],
	];
	// Every table has pages among these.
	for (let page = 0; page < pages; page += page < 2 ? 1 : 4) {
		const filler = [0, 0xff, "j"][page % 3] ?? 0;
		broken.push([`page ${page} of ${pages}, ${filler}`, () => writePage(fileOf(fixture), sound, page, filler)]);
	}
	for (const [what, damage] of broken) {
		damage();
		assert.deepEqual(await ask(), expected, what);
		assert.deepEqual(await ask(), expected, `${what}, again`);
	}
});

test("a stored list that nobody could have written is damage too", async (t) => {
	const fixture = await fixtureOf(FILES);
	t.after(fixture.remove);
	const database = new DatabaseSync(fileOf(fixture));
	database.exec("UPDATE terms SET block = substr(block, 1, length(block) / 2)");
	database.close();
	const { hits } = await afterRepair(() => fixture.repository.search({ query: "openSession7" }));
	assert.equal(hits[0]?.path, "f7.ts");
});

test("a list of dead files or a commit that is no JSON is damage, and heals", async (t) => {
	const fixture = await fixtureOf(FILES, { freshnessMs: 0 });
	t.after(fixture.remove);
	for (const damage of [
		"UPDATE segments SET dead = x'5b'",
		"UPDATE segments SET dead = x'7b7d'",
		"UPDATE meta SET value = '{' WHERE key = 'options'",
		"INSERT OR REPLACE INTO meta VALUES ('submodules', '[')",
		"INSERT OR REPLACE INTO meta VALUES ('git', '{')",
	]) {
		const database = new DatabaseSync(fileOf(fixture));
		database.exec(`${damage}; UPDATE meta SET value = value + 1 WHERE key = 'generation'`);
		database.close();
		writeFiles(fixture.root, { "new.ts": `export const at = ${JSON.stringify(damage)};\n` });
		const { hits } = await fixture.repository.search({ query: "openSession7", modifiedSince: 1e6 });
		assert.ok(hits.length === 0 || hits[0]?.path === "f7.ts", damage);
		assert.equal((await fixture.repository.search({ query: "openSession7" })).hits[0]?.path, "f7.ts", damage);
	}
});

/** Asks until the index is no longer being built. */
async function afterRepair<Value>(ask: () => Promise<Value>): Promise<Value> {
	for (;;) {
		try {
			return await ask();
		} catch (thrown) {
			if (!isCleatsError(thrown) || thrown.details.reason !== "being_built") throw thrown;
		}
		await delay(50);
	}
}

function cutInHalf(file: string): Buffer {
	for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
	truncateSync(file, Math.floor(statSync(file).size / 2));
	return readFileSync(file);
}

function overwriteHeader(file: string): Buffer {
	const bytes = readFileSync(file);
	bytes.fill("x", 0, 100);
	writeFileSync(file, bytes);
	return bytes;
}

function writePage(file: string, sound: Buffer, page: number, filler: number | string): void {
	const bytes = Buffer.from(sound).fill(filler, page * 4096, (page + 1) * 4096);
	for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
	writeFileSync(file, bytes);
}

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
	return openIndexFolder(cacheRoot, root).current() ?? "";
}
