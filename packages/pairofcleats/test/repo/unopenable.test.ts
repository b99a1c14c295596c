import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { toCleatsError } from "../../src/contract/errors.ts";
import { buildIndex } from "../../src/index/indexer.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { fixtureOf, pathsFound } from "../filter/fixtureRepository.ts";

const FILES = { "a.ts": "export function openSession() {\n\treturn 1;\n}\n" };
const skip = process.platform === "win32" ? "has neither such links nor limits" : false;

test("an index that may not be opened is not called damaged, and no build takes its place", { skip }, async (t) => {
	const { root, cacheRoot, repository, remove } = await fixtureOf(FILES);
	t.after(remove);
	const folder = openIndexFolder(cacheRoot, root);
	const shared = closedFile(folder.current());
	symlinkSync(basename(shared), shared);
	for (const work of [
		() => repository.search({ query: "openSession" }),
		() => repository.status(),
		() => buildIndex({ root, folder }),
	])
		await assert.rejects(work, (thrown) => {
			const { code, message } = toCleatsError(thrown);
			assert.deepEqual([code, /^nothing can be written: its folder is /.test(message)], ["INTERNAL", true], message);
			return true;
		});
	rmSync(shared);
	assert.deepEqual(await pathsFound(repository, { query: "openSession" }), ["a.ts"]);
});

test("a disk without room for what SQLite keeps beside an index is told as that", { skip }, async (t) => {
	const { root, cacheRoot, remove } = await fixtureOf(FILES);
	t.after(remove);
	closedFile(openIndexFolder(cacheRoot, root).current());
	const source = (path: string): string => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
	const script = `
		const { openRepository } = await import(${source("repo/openRepository.ts")});
		const { toCleatsError } = await import(${source("contract/errors.ts")});
		const repository = openRepository(${JSON.stringify(root)}, { cacheRoot: ${JSON.stringify(cacheRoot)}, model: null });
		await repository.status().then(() => console.log("opened"), (thrown) => console.log(toCleatsError(thrown).message));
		await repository.close();`;
	const { stdout, stderr } = spawnSync(
		"/bin/sh",
		["-c", `trap '' XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1"`, process.execPath, script],
		{ encoding: "utf8", cwd: fileURLToPath(new URL(".", import.meta.url)) },
	);
	assert.match(stdout, /^nothing can be written: (?:the disk is full, or fails|no space left on device);/, stderr);
});

/** Removes what was left beside an index, as after a restart of the machine; returns the name of its shared memory. */
function closedFile(file = ""): string {
	for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
	return `${file}-shm`;
}
