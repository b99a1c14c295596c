import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { COMMAND } from "./stdioClient.ts";

const CASES = resolve(import.meta.dirname, "../../../../../shared/cases/synesthetic");
const SKIP = existsSync(CASES) ? false : "the shared cases are not beside the checkout";

for (const args of [[], ["--direct"]]) {
	const how = args.length === 0 ? "behind the host" : "in one process";
	test(`${how}, every required black-box case passes`, { skip: SKIP }, () => {
		const command = ["run.py", "-v", "--", process.execPath, COMMAND, ...args];
		const { stdout } = spawnSync("python3", command, { cwd: CASES, encoding: "utf8", timeout: 120_000 });
		assert.match(stdout, /exact pass \d+ fail 0\n.*error-paths pass \d+ fail 0\n$/);
	});
}
