import assert from "node:assert/strict";
import { rmSync, statSync, truncateSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
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

function fileOf({ root, cacheRoot }: Fixture): string {
	return indexFolder(cacheRoot, root).current() ?? "";
}
