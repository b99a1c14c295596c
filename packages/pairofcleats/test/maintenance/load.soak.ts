import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { writeFiles } from "../filter/fixtureRepository.ts";
import { at, listAt, resultOf, serve } from "../server/serving.ts";
import { slowFiles, workspaceOf } from "../tools/workspace.ts";

const FIVE_MEGABYTES = 5 * 1024 * 1024;
const QUERIES = ["work7_3", "helper31 input", "return await", '"work599_39"', "count string"];

test("compaction, garbage collection and cleaning do not disturb searches of a five-megabyte index", async (t) => {
	const space = await workspaceOf(t, slowFiles(1_500));
	const other = join(space.base, "other");
	mkdirSync(other);
	writeFiles(other, slowFiles(20));
	const size = openIndexFolder(space.cacheRoot, space.root).bytes();
	assert.ok(size >= FIVE_MEGABYTES, `the index has ${size} bytes`);
	const { client } = await serve(t, space, { hosted: true, args: ["--repo", other] });
	const answers = async (): Promise<unknown[]> => {
		const found = QUERIES.map(async (query) =>
			listAt(resultOf(await client.call("search", { query, top: 20 })), "/search/hits").map((hit) => [
				at(hit, "/path"),
				at(hit, "/startLine"),
				at(hit, "/score"),
			]),
		);
		return Promise.all(found);
	};
	// The server adds vectors to an index that was built without, once; that is no part of this.
	resultOf(await client.call("build_index"));
	const expected = await answers();
	const ended = new AbortController();
	const searching = (async () => {
		let rounds = 0;
		for (; !ended.signal.aborted; rounds++) assert.deepEqual(await answers(), expected);
		return rounds;
	})();
	try {
		for (let round = 0; round < 3; round++) {
			resultOf(await client.call("build_index", { repoPath: other }));
			assert.equal(at(resultOf(await client.call("compact_sqlite_index")), "/dryRun"), false);
			const collected = resultOf(await client.call("cache_gc", { maxBytes: 0 }));
			assert.deepEqual(collected.removals, [], "both repositories are in use");
			const cleaned = resultOf(await client.call("clean_artifacts", { repoPath: other }));
			assert.equal(at(cleaned, "/removals/0/outcome"), "removed");
		}
	} finally {
		ended.abort();
	}
	const rounds = await searching;
	assert.ok(rounds > 3, `${rounds} rounds of searches`);
	t.diagnostic(`${rounds * QUERIES.length} searches, index of ${size} bytes`);
});
