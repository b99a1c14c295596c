import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { messageIn } from "../../src/contract/childMessage.ts";
import type { BuildReport } from "../../src/index/build.ts";

const DIST = join(import.meta.dirname, "../../dist");
const skip = existsSync(join(DIST, "fast/build.cjs")) ? false : "nothing is bundled; npm run build does it";

/** One file for each way of parsing: by grammar, by unoptimised grammar, by component, by format, by lines. */
const FILES = {
	"door.ts": "/** Opens the door. */\nexport function openDoor(): number {\n\treturn 41;\n}\n",
	"ring.sh": "#!/bin/bash\nring_bell() {\n\techo ding\n}\n",
	"Door.vue":
		"<template><p>door</p></template>\n<script>\nexport function shut() {\n\treturn eval(location.hash);\n}\n</script>\n",
	"style.scss": ".door {\n\t.knob { color: red; }\n}\n",
	"plan.md": "# Plan\n\nOpen it.\n\n## Later\n\n```js\nfunction later() {}\n```\n",
	"rules.yaml": "door:\n  open: true\n",
	"rules.toml": "[door]\nopen = true\n",
	"rules.json": '{ "door": { "open": true } }\n',
	"notes.txt": "a door\n",
};

test("the bundled build makes the same index as the built modules", { skip }, (t) => {
	const folder = mkdtempSync(join(tmpdir(), "bundled-build-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const root = join(folder, "repo");
	mkdirSync(root);
	for (const [name, text] of Object.entries(FILES)) {
		writeFileSync(join(root, name), text);
		utimesSync(join(root, name), 1_000_000_000, 1_000_000_000);
	}
	const build = (program: string, threads: number): { report: BuildReport; rows: unknown } => {
		const cacheRoot = mkdtempSync(join(folder, "cache-"));
		const job = JSON.stringify({ kind: "build", root, cacheRoot, options: { threads } });
		const args = ["--disable-warning=ExperimentalWarning", join(DIST, program), job];
		const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 120_000 });
		assert.equal(status, 0, stdout + stderr);
		const said = messageIn<{ report: BuildReport }>(stdout.trim().split("\n").at(-1) ?? "");
		assert.ok(said !== undefined, stdout);
		return { report: said.report, rows: rowsOf(cacheRoot) };
	};
	const whole = build("repo/buildProcess.js", 1);
	const bundled = build("fast/build.cjs", 1);
	assert.equal(bundled.report.files.indexed, Object.keys(FILES).length);
	assert.deepEqual(bundled.rows, whole.rows);
	// The program of its threads is in another place.
	assert.equal(build("fast/build.cjs", 2).report.chunks, whole.report.chunks);
	// The process is started from a separate file, which picks one or the other.
	assert.deepEqual(build("fast/buildProcess.cjs", 1).rows, whole.rows);
});

/** Everything an index contains, except when it was built. */
function rowsOf(cacheRoot: string): unknown {
	const [file = ""] = globSync(join(cacheRoot, "**/index-*.sqlite"));
	const database = new DatabaseSync(file, { readOnly: true });
	const tables = ["segments", "terms", "trigrams", "texts", "details", "vectors", "stats"];
	const rows = tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all());
	database.close();
	return rows;
}
