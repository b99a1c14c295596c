import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ENDING_COMMAND = fileURLToPath(new URL("./fixtures/endingCommand.ts", import.meta.url));

test("signals that arrive while a command ends do not cut it short", {
	skip: process.platform === "win32",
}, async () => {
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ENDING_COMMAND], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	assert.equal((await lines.next()).value, "running");
	child.kill("SIGINT");
	assert.equal((await lines.next()).value, "ending");
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
		child.kill(signal);
		child.stdin.write("still there?\n");
		assert.equal((await lines.next()).value, "ending");
	}
	child.stdin.end();
	assert.deepEqual(await once(child, "exit"), [0, null]);
});
