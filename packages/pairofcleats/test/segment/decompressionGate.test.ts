import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

test("terminating threads while they decompress does not abort the process", () => {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "gateRounds.ts")],
		{ encoding: "utf8", timeout: 120_000 },
	);
	assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: "ended 40\n", stderr: "" });
});
