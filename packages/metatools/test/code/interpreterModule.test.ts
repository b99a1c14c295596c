import assert from "node:assert/strict";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { test } from "node:test";
import { loadInterpreterModule } from "../../src/code/wasm/webAssembly.ts";

test("an interpreter that could not be read once is read by the next run", async (t) => {
	const failing = t.mock.method(files, "readFile", () => Promise.reject(new Error("EMFILE: too many open files")));
	syncBuiltinESMExports();
	await assert.rejects(loadInterpreterModule(), /EMFILE/);
	failing.mock.restore();
	syncBuiltinESMExports();
	const read = await loadInterpreterModule();
	assert.equal(await loadInterpreterModule(), read);
});
