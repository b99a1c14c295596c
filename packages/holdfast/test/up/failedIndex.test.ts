// `holdfast up` whose repository cannot be indexed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bringUp, HOLDFAST } from "../../../../e2e/runningProduct.ts";
import { until } from "../../../../e2e/until.ts";

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
	const args = [HOLDFAST, "up", "--port", "0"];
	const product = await bringUp(env, { command: process.execPath, args, cwd: repository });
	const { pid, address, said } = product;
	t.after(async () => {
		product.signal("SIGTERM");
		await product.exited;
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	await until(() => /"message":"index: .+; it is tried again until it succeeds"/.test(said().err), "it is logged");
	const readiness = await fetch(`${address}/readyz`);
	assert.deepEqual([readiness.status, await readiness.json()], [200, { status: "ok", failed: ["indexing"] }]);
	const holdfast = (...args: string[]) => spawnSync(process.execPath, [HOLDFAST, ...args], { env, encoding: "utf8" });
	assert.match(holdfast("status").stdout, new RegExp(`^gateway ${pid}: indexing failed: .+$`, "m"));
	const { stdout, stderr, status } = holdfast("doctor", "--port", "0");
	assert.match(stdout + stderr, new RegExp(`^NO +gateway ${pid} +indexing failed: .+\\n +mend what it names`, "m"));
	assert.equal(status, 1);
});
