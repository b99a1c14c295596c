import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { warmIndexer } from "../../src/index/warmIndexer.ts";
import type { FileEntry } from "../../src/segment/indexedFile.ts";
import { fixtureOf, writeFiles } from "../filter/fixtureRepository.ts";

const SAMPLE = Array.from({ length: 200 }, (_, at) => `export function sampled${at}() {\n\treturn ${at};\n}\n`).join(
	"",
);

test("files read to warm up the indexer do not end up in any index", async () => {
	const fixture = await fixtureOf({ "sample.ts": SAMPLE, "b.ts": "export const beta = 1;\n" }, { freshnessMs: 0 });
	try {
		const before = contentOf(fixture.cacheRoot);
		await warmIndexer(fixture.root, [entry("sample.ts", SAMPLE.length)]);
		assert.deepEqual(contentOf(fixture.cacheRoot), before);
		writeFiles(fixture.root, { "b.ts": "export const edited = 2;\n" });
		const { hits } = await fixture.repository.search({ query: "edited" });
		assert.deepEqual(
			hits.map(({ path }) => path),
			["b.ts"],
		);
		const sampled = await fixture.repository.search({ query: '"sampled7"' });
		assert.deepEqual(
			sampled.hits.map(({ path, name }) => [path, name]),
			[["sample.ts", "sampled7"]],
		);
		assert.deepEqual((await fixture.repository.validate()).problems, []);
	} finally {
		await fixture.remove();
	}
});

test("warming up the indexer ignores missing files", async () => {
	const fixture = await fixtureOf({ "gone.py": "def gone():\n    pass\n" });
	try {
		rmSync(join(fixture.root, "gone.py"));
		await warmIndexer(fixture.root, [entry("gone.py", 22, "python")]);
	} finally {
		await fixture.remove();
	}
});

function entry(path: string, bytes: number, language = "typescript"): FileEntry {
	return {
		path,
		language,
		mode: "code",
		role: "source",
		hash: "",
		bytes,
		method: "grammar",
		parseErrors: 0,
		firstDoc: 0,
		docs: 1,
	};
}

/** The content of every file in a folder, by name. */
function contentOf(folder: string): Record<string, string> {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((found) => found.isFile());
	return Object.fromEntries(
		files.map(({ parentPath, name }) => {
			const path = join(parentPath, name);
			return [path, readFileSync(path, "base64")];
		}),
	);
}
