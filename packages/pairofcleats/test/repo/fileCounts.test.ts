import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { updateIndex } from "../../src/index/indexer.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { fixtureOf, writeFiles } from "../filter/fixtureRepository.ts";

const FILES = { "a.ts": "export const first = 1;\n", "b.ts": "export const second = 2;\n", "image.bin": "\0\0\0\0" };

test("an update counts a file that it left out before as skipped, not as unchanged", async () => {
	const fixture = await fixtureOf(FILES, { freshnessMs: 1e9 });
	try {
		const { root, cacheRoot } = fixture;
		writeFiles(root, { "a.ts": "export const third = 3;\n" });
		const { files } = await updateIndex({ root, folder: openIndexFolder(cacheRoot, root) });
		assert.deepEqual(files, { indexed: 1, unchanged: 1, removed: 0, skipped: 1, unreadable: 0 });
	} finally {
		await fixture.remove();
	}
});

test("the status counts the files of the repository, not the records beside them", async () => {
	const base = mkdtempSync(join(tmpdir(), "pairofcleats-counts-"));
	const recordsDir = join(base, "records");
	mkdirSync(recordsDir);
	const record = { recordId: "finding-1", recordType: "finding", title: "a leak" };
	writeFileSync(join(recordsDir, "finding-1.json"), JSON.stringify(record));
	const fixture = await fixtureOf(FILES, { freshnessMs: 1e9, recordsDir });
	try {
		const { files, chunks } = await fixture.repository.status();
		assert.equal(files, 2);
		assert.equal(chunks.records, 1);
	} finally {
		await fixture.remove();
		rmSync(base, { recursive: true, force: true });
	}
});
