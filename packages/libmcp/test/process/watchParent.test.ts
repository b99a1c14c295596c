import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { isAlive } from "./livingTree.ts";

const WATCHED = fileURLToPath(new URL("./fixtures/watched.ts", import.meta.url));

test("a server whose parent was killed notices and leaves", { skip: process.platform === "win32" }, async () => {
	const parent = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", WATCHED, "parent"], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	assert.ok(parent.stdout);
	const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
	const server = Number((await lines.next()).value);
	assert.ok(isAlive(server));
	parent.kill("SIGKILL");
	await until(() => !isAlive(server), "the server to leave");
});
