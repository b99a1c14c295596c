import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { ownProcess } from "../ownProcess.ts";

test("a folder in which no record can be created is an error, without endless retries", {
	skip: !existsSync("/proc/self") && "there is no /proc here",
}, () => {
	const module = new URL("../../src/triage/recordStore.ts", import.meta.url).href;
	const program = `import { RecordStore } from ${JSON.stringify(module)}; new RecordStore("/proc/none/a/b").putFinding({ recordId: "x" });`;
	const { status, signal, stderr } = ownProcess(program);
	assert.equal(signal, null, "it ended by itself");
	assert.equal(status, 1);
	assert.match(stderr, /ENOENT: no such file or directory, mkdir '\/proc\/none'/);
});
