import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "../console/startedProduct.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

test("whoever follows a log misses nothing when its file is rotated, even twice", { timeout: 60_000 }, async (t) => {
	const home = mkdtempSync(join(tmpdir(), "holdfast-logs-"));
	const folder = join(home, "holdfast");
	mkdirSync(folder);
	const path = join(folder, "files.jsonl");
	const rotate = (moment: string, last: string): void => {
		appendFileSync(path, `${last}\n`);
		renameSync(path, `${path}.20261117T${moment}Z-1-1`);
	};
	writeFileSync(path, "first\n");
	const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home };
	const child = spawn(process.execPath, [BIN, "logs", "files", "--follow", "--json"], { env });
	t.after(() => {
		child.kill();
		rmSync(home, { recursive: true, force: true, maxRetries: 5 });
	});
	let said = "";
	child.stdout.on("data", (chunk) => (said += chunk));
	await eventually("the beginning is shown", () => said === "first\n");
	rotate("120000000", "second");
	rotate("120000001", "third");
	writeFileSync(path, "fourth\n");
	await eventually("all of it is shown", () => said.includes("fourth"));
	assert.equal(said, "first\nsecond\nthird\nfourth\n");
});
