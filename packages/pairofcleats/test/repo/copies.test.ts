import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openRepository } from "../../src/repo/openRepository.ts";

test("copies of a text are listed with it in repeated searches and after an edit", async (t) => {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "cleats-copies-")));
	t.after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
	const root = join(base, "repo");
	mkdirSync(root);
	const body = (name: string): string =>
		`def ${name}(first, second):\n${Array.from({ length: 8 }, (_, at) => `    ${name}_${at} = first + second * ${at}\n`).join("")}    return first\n`;
	for (let at = 0; at < 30; at++) writeFileSync(join(root, `own${at}.py`), body(`own${at}`));
	for (const name of ["a", "b", "c"]) writeFileSync(join(root, `${name}.py`), body("shared"));
	const repository = openRepository(root, { cacheRoot: join(base, "cache"), model: null, freshnessMs: 0 });
	t.after(() => repository.close());
	await repository.buildIndex();
	const copies = async (query: string): Promise<(string | undefined)[]> => {
		const { hits } = await repository.search({ query, top: 1 });
		return hits.flatMap(({ path, duplicates = [] }) => [path, ...duplicates.map((copy) => copy.path)]);
	};
	for (let round = 0; round < 30; round++) {
		assert.deepEqual(await copies("shared"), ["a.py", "b.py", "c.py"]);
		assert.deepEqual(await copies(`own${round}`), [`own${round}.py`]);
	}
	writeFileSync(join(root, "d.py"), body("shared"));
	rmSync(join(root, "a.py"));
	for (let round = 0; round < 40; round++) assert.deepEqual(await copies("shared"), ["b.py", "c.py", "d.py"]);
});
