import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { announceReady } from "../../src/server/readyFile.ts";
import { folder } from "../folder.ts";
import { StdioClient } from "./stdioClient.ts";

test("what is no file is left as it is, be it a pipe or a device that all others use", { skip: noPipes() }, (t) => {
	const root = folder(t);
	const pipe = join(root, "ready");
	execFileSync("mkfifo", [pipe]);
	const warnings: string[] = [];
	announceReady(pipe, (text) => warnings.push(text))();
	assert.ok(lstatSync(pipe).isFIFO());
	assert.deepEqual(warnings, ["ready file not written: EEXIST"]);
	assert.deepEqual(readdirSync(root), ["ready"]);
});

test("a name no file can have is a warning", (t) => {
	const warnings: string[] = [];
	announceReady(join(folder(t), "x".repeat(300)), (text) => warnings.push(text))();
	assert.deepEqual(warnings, ["ready file not written: ENAMETOOLONG"]);
});

test("where no folder can be made the server starts all the same", { skip: noProc() }, async (t) => {
	const env = { MCP_READY_FILE: "/proc/none/ready" };
	const client = await new StdioClient(t, { args: ["--direct"], cwd: folder(t), env }).ready();
	assert.match(client.stderr.join(""), /^mcp:ready file not written: ENOENT$/m);
	assert.equal(await client.end(), 0);
});

function noPipes(): string | false {
	return process.platform === "win32" ? "there are no named pipes among the files here" : false;
}

function noProc(): string | false {
	return process.platform === "linux" ? false : "there is no /proc here";
}
