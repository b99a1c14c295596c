import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { adoptWorkFiles } from "../../src/files/workFiles.ts";

test("what a living process works on is left to it, and what a dead one left is cleaned up or taken over", (t) => {
	const folder = mkdtempSync(join(tmpdir(), "pairofcleats-work-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const { pid: dead } = spawnSync(process.execPath, ["--version"]);
	const living = process.ppid;
	for (const pid of [living, dead])
		for (const kind of ["fetch", "fetch.part", "place"]) writeFileSync(join(folder, `.model.${pid}.${kind}`), "");
	writeFileSync(join(folder, `.other.${dead}.place`), "");
	adoptWorkFiles(folder, "model");
	const kept = ["fetch", "fetch.part", "place"].map((kind) => `.model.${living}.${kind}`);
	const adopted = `.model.${process.pid}.fetch.part`;
	assert.deepEqual(readdirSync(folder).sort(), [...kept, adopted, `.other.${dead}.place`].sort());
	adoptWorkFiles(folder);
	assert.deepEqual(readdirSync(folder).sort(), [...kept, adopted].sort(), "whatever it was for");
});
