import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { BuildJob } from "../../src/repo/buildChild.ts";
import { type Ran, runCaptured } from "../cli/captured.ts";

const BUILD_PROCESS = join(import.meta.dirname, "..", "..", "src", "repo", "buildProcess.ts");

test("the status of an index reports the process that is building it", { timeout: 120_000 }, async () => {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-building-")));
	const root = join(base, "repo");
	const cacheRoot = join(base, "cache");
	const outer = process.env.PAIROFCLEATS_CACHE_ROOT;
	process.env.PAIROFCLEATS_CACHE_ROOT = cacheRoot;
	cpSync(join(import.meta.dirname, "..", "..", "src"), root, { recursive: true });
	const status = (...flags: string[]): Promise<Ran> => runCaptured(["index", "status", "--repo", root, ...flags]);
	try {
		assert.deepEqual((await status()).lines, ["index      none; pairofcleats index build makes one"]);
		const job: BuildJob = { kind: "build", root, cacheRoot, model: undefined, options: {} };
		const build = spawn(
			process.execPath,
			["--disable-warning=ExperimentalWarning", BUILD_PROCESS, JSON.stringify(job)],
			{ stdio: ["ignore", "ignore", "inherit"] },
		);
		const ended = once(build, "exit");
		let told: Ran;
		do {
			await sleep(5);
			told = await status();
		} while (build.exitCode === null && !told.lines.at(-1)?.includes("by process"));
		build.kill("SIGSTOP");
		const json: unknown = JSON.parse((await status("--json")).lines[0] ?? "");
		assert.equal(told.lines[0], "index      none yet");
		assert.match(told.lines[1] ?? "", new RegExp(`^building   by process ${build.pid} since \\d{4}-.*Z`));
		assert.equal(told.code, 3, "there is no index yet");
		assert.ok(typeof json === "object" && json !== null && "building" in json && "writer" in json);
		assert.equal(json.building, true);
		assert.ok(typeof json.writer === "object" && json.writer !== null && "pid" in json.writer);
		assert.equal(json.writer.pid, build.pid);
		build.kill("SIGCONT");
		assert.deepEqual(await ended, [0, null]);
		const after = await status();
		assert.match(after.lines[0] ?? "", /^fresh {6}yes$/);
		assert.equal(after.lines.join("\n").includes("building"), false);
	} finally {
		if (outer === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = outer;
		rmSync(base, { recursive: true, force: true });
	}
});
