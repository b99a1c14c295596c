import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { isNewEnough } from "libmcp/launch";
import { announceReady } from "../../src/server/serve/converse.ts";
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

test("a file that another server has taken over since is left to it", (t) => {
	const file = join(folder(t), "ready");
	const remove = announceReady(file, assert.fail);
	writeFileSync(file, "7 2026-01-01T00:00:00.000Z\n");
	remove();
	assert.equal(readFileSync(file, "utf8"), "7 2026-01-01T00:00:00.000Z\n");
});

test("what a killed server has left is replaced by the next one, and removed with it", async (t) => {
	const cwd = folder(t);
	const file = join(cwd, "ready");
	const killed = await new StdioClient(t, { cwd }).ready();
	const left = readFileSync(file, "utf8");
	killed.child.kill("SIGKILL");
	await once(killed.child, "exit");
	assert.equal(readFileSync(file, "utf8"), left);
	const next = await new StdioClient(t, { cwd }).ready();
	assert.equal(readFileSync(file, "utf8").split(" ")[0], String(next.child.pid));
	assert.equal(await next.end(), 0);
	assert.deepEqual(readdirSync(cwd), []);
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

test("on a Node too old, whose launcher starts another, the file names the process that was started", {
	skip: olderNode() === undefined && "no Node older than 22.18 is on the path",
}, async (t) => {
	const cwd = folder(t);
	const client = await new StdioClient(t, { cwd, node: olderNode() ?? "" }).ready();
	assert.equal(readFileSync(join(cwd, "ready"), "utf8").split(" ")[0], String(client.child.pid));
	assert.equal(await client.end(), 0);
	assert.deepEqual(readdirSync(cwd), []);
});

function olderNode(): string | undefined {
	const places = (process.env.PATH ?? "").split(delimiter).map((place) => join(place, "node"));
	return places.find((node) => {
		const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
		return stdout?.startsWith("v") && !isNewEnough(stdout.slice(1));
	});
}

function noPipes(): string | false {
	return process.platform === "win32" ? "there are no named pipes among the files here" : false;
}

function noProc(): string | false {
	return process.platform === "linux" ? false : "there is no /proc here";
}
