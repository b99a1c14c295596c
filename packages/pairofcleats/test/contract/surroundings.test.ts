import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { apiToken, cacheRoot, dataRoot, mcpTransport, modelPath, queueMax } from "../../src/contract/environment.ts";
import { toCleatsError } from "../../src/contract/errors.ts";

const PROGRAM = resolve(import.meta.dirname, "../../bin/pairofcleats.js");
const REMEDY = "PAIROFCLEATS_CACHE_ROOT (for records PAIROFCLEATS_DATA_ROOT) names another folder";

test("an empty or relative home folder does not create a cache in the working directory", (t) => {
	const before = { ...process.env };
	t.after(() => Object.assign(process.env, before));
	for (const name of ["PAIROFCLEATS_CACHE_ROOT", "PAIROFCLEATS_DATA_ROOT"]) delete process.env[name];
	for (const folder of ["", "relative"]) {
		Object.assign(process.env, { HOME: folder, XDG_CACHE_HOME: folder, XDG_DATA_HOME: folder });
		assert.ok(isAbsolute(cacheRoot()), cacheRoot());
		assert.ok(isAbsolute(dataRoot()), dataRoot());
	}
});

test("an empty environment variable counts as unset", (t) => {
	const before = { ...process.env };
	const names = [
		"PAIROFCLEATS_MODEL",
		"PAIROFCLEATS_MCP_TRANSPORT",
		"PAIROFCLEATS_API_TOKEN",
		"PAIROFCLEATS_QUEUE_MAX",
	];
	t.after(() => {
		for (const name of names) delete process.env[name];
		Object.assign(process.env, before);
	});
	for (const name of names) process.env[name] = "";
	assert.deepEqual([modelPath(), mcpTransport(), apiToken(), queueMax()], [undefined, "sdk", undefined, undefined]);
});

test("a full disk is reported in words, with a remedy and without a path", () => {
	const database = new DatabaseSync(":memory:");
	database.exec("PRAGMA max_page_count = 2; CREATE TABLE kept (bytes)");
	let thrown: unknown;
	try {
		database.exec("INSERT INTO kept VALUES (zeroblob(100000))");
	} catch (error) {
		thrown = error;
	}
	database.close();
	const { code, message } = toCleatsError(thrown);
	assert.equal(code, "INTERNAL");
	assert.equal(message, `nothing can be written: no space left on device; ${REMEDY}`);
});

test("a read-only disk is reported in words, whichever error Node throws", () => {
	const named = Object.assign(new Error("EROFS: read-only file system, open '/srv/x'"), { code: "EROFS", errno: -30 });
	// What rmSync throws in that case.
	const unnamed = Object.assign(new Error(", Unknown error: Read-only file system '/srv/x'"), {
		code: "",
		errno: -4094,
	});
	for (const thrown of [named, unnamed])
		assert.equal(toCleatsError(thrown).message, `nothing can be written: read-only file system; ${REMEDY}`);
	// A file that cannot be read is not a problem of the cache's disk.
	const refused = "EACCES: permission denied, open 'rules.json'";
	const unread = Object.assign(new Error(refused), { code: "EACCES", errno: -13, syscall: "open" });
	assert.equal(toCleatsError(unread).message, refused);
});

test("an answer that cannot be written is reported as a failure", { skip: !existsSync("/dev/full") }, () => {
	const script = '"$0" "$1" --help > /dev/full';
	const { status, stderr } = spawnSync("sh", ["-c", script, process.execPath, PROGRAM], { encoding: "utf8" });
	assert.equal(status, 1);
	assert.match(stderr, /^pairofcleats: the answer cannot be written: no space left on device \(ENOSPC\)\n$/);
});

test("a server with a setting that is no such number says so and does not start", () => {
	for (const [name, value, least] of [
		["PAIROFCLEATS_TOOL_TIMEOUT_MS", "0", 1],
		["PAIROFCLEATS_TOOL_TIMEOUT_MS", "abc", 1],
		["PAIROFCLEATS_QUEUE_MAX", "-1", 0],
	] as const) {
		const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, "mcp"], {
			encoding: "utf8",
			input: "",
			env: { ...process.env, [name]: value },
		});
		const reason = `pairofcleats: ${name}: expected a whole number from ${least}, got "${value}"\n`;
		assert.deepEqual([status, stdout, stderr], [1, "", reason]);
	}
});
