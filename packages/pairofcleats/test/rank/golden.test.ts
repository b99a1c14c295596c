import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { buildIndex } from "../../src/index/indexer.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";

const golden: Readonly<Record<string, readonly string[]>> = JSON.parse(
	readFileSync(new URL("./golden.json", import.meta.url), "utf8"),
);

test("questions about this package's own sources are answered first by the files that answer them", {
	timeout: 120_000,
}, async () => {
	const cacheRoot = mkdtempSync(join(tmpdir(), "pairofcleats-golden-"));
	const root = join(import.meta.dirname, "..", "..", "src");
	try {
		await buildIndex({ root, folder: openIndexFolder(cacheRoot, root) });
		const repository = openRepository(root, { cacheRoot, model: null, freshnessMs: 1e9 });
		const missed: string[] = [];
		for (const [query, paths] of Object.entries(golden)) {
			const { hits } = await repository.search({ query, mode: "code", top: 20 });
			const ranked = [...new Set(hits.map(({ path }) => path))];
			// The first file must be one of those listed, and all of those listed must be near the top.
			const near = paths.every((path) => ranked.indexOf(path) >= 0 && ranked.indexOf(path) < paths.length + 2);
			if (!paths.includes(ranked[0] ?? "") || !near) missed.push(`${query}: ${ranked.slice(0, 5).join(", ")}`);
		}
		await repository.close();
		assert.deepEqual(missed, []);
	} finally {
		rmSync(cacheRoot, { recursive: true, force: true });
	}
});
