// `holdfast up` whose repository cannot be indexed.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

test("a failed index is told by the log, readiness, status and doctor", { timeout: 120_000 }, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-failed-"));
	const [repository, cache] = [join(folder, "repository"), join(folder, "cache")];
	mkdirSync(repository);
	writeFileSync(join(repository, "lantern.ts"), "export function lightLantern(): void {}\n");
	writeFileSync(cache, "a file where the folder should be");
	const env = {
		PATH: process.env.PATH,
		HOME: folder,
		XDG_RUNTIME_DIR: folder,
		NO_COLOR: "1",
		PAIROFCLEATS_CACHE_ROOT: cache,
	};
	const child = spawn(process.execPath, [BIN, "up", "--port", "0", "--repo", repository], {
		env,
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	let logged = "";
	child.stdout.on("data", (data) => (said += data));
	child.stderr.on("data", (data) => (logged += data));
	const ended = new Promise((resolve) => child.once("exit", resolve));
	t.after(async () => {
		child.kill("SIGTERM");
		await ended;
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	await until(() => said.includes("Ctrl-C stops everything") || child.exitCode !== null, "it is up");
	const address = /^Holdfast is up at (\S+)$/m.exec(said)?.[1] ?? assert.fail(said);
	await until(() => /"message":"index: .+; it is tried again until it succeeds"/.test(logged), "it is logged");
	const readiness = await fetch(`${address}/readyz`);
	assert.deepEqual([readiness.status, await readiness.json()], [200, { status: "ok", failed: ["indexing"] }]);
	const holdfast = (...args: string[]) => spawnSync(process.execPath, [BIN, ...args], { env, encoding: "utf8" });
	assert.match(holdfast("status").stdout, new RegExp(`^gateway ${child.pid}: indexing failed: .+$`, "m"));
	const { stdout, stderr, status } = holdfast("doctor", "--port", "0");
	assert.match(
		stdout + stderr,
		new RegExp(`^NO +gateway ${child.pid} +indexing failed: .+\\n +mend what it names`, "m"),
	);
	assert.equal(status, 1);
});
