import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { createGateway, loadConfig, ToolError } from "metatools";
import { until } from "../../../../e2e/until.ts";
import { takeWriteLock } from "../../../pairofcleats/src/store/writeLock.ts";
import { IndexJob } from "../../src/api/indexJob.ts";
import { beginIndex } from "../../src/up/indexing.ts";

test("an index that failed is logged once, and built as soon as what stood in its way is gone", async (t) => {
	const { job, begin, lines, cache } = place(t);
	writeFileSync(cache, "a file where the folder should be");
	await assert.rejects(begin());
	assert.match(job.problem ?? "", /^indexing failed: ./);
	await until(() => lines.length > 0, "it is logged");
	assert.match(lines[0] ?? "", /^index: .+; it is tried again until it succeeds$/);
	rmSync(cache);
	await until(() => job.state?.state === "done", "it is built");
	await until(() => lines.length > 1, "that is logged too");
	assert.equal(lines.length, 2);
	assert.equal(job.problem, undefined);
});

test("a gateway waits for its turn while another process writes the same index", async (t) => {
	const { job, begin, cache, repository } = place(t);
	await begin();
	const [lockFile = assert.fail("there is no lock")] = globSync("**/lock.sqlite", { cwd: cache });
	const lock = await takeWriteLock(dirname(join(cache, lockFile)));
	writeFileSync(join(repository, "beacon.ts"), "export function lightBeacon(): void {}\n");
	const waiting = begin();
	assert.equal(
		await Promise.race([waiting, seen(job, "failed"), new Promise((wait) => setTimeout(wait, 500))]),
		undefined,
	);
	assert.equal(job.underWay?.startsWith("indexing"), true);
	lock.release();
	assert.equal((await waiting).files.indexed, 1);
});

test("a rebuild that failed in the code server is told in its own words", async (t) => {
	const { job } = place(t);
	const answer = { ok: false, error: { code: "INTERNAL", message: "the build process ended without a report" } };
	const thrown = new ToolError("execution_failed", JSON.stringify(answer));
	await assert.rejects(job.run(() => Promise.reject(thrown)));
	await until(() => job.problem !== undefined, "it has failed");
	assert.equal(job.problem, "indexing failed: the build process ended without a report");
	assert.equal(job.state?.error?.message, "the build process ended without a report");
});

function place(t: TestContext) {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-begin-"));
	const [repository, cache] = [join(folder, "repository"), join(folder, "cache")];
	mkdirSync(repository);
	writeFileSync(join(repository, "lantern.ts"), "export function lightLantern(): void {}\n");
	const before = process.env.PAIROFCLEATS_CACHE_ROOT;
	process.env.PAIROFCLEATS_CACHE_ROOT = cache;
	const job = new IndexJob(
		createGateway(loadConfig({ flags: {}, configFile: "", environment: {} }), { log: () => {} }),
	);
	const lines: string[] = [];
	const options = { signal: new AbortController().signal, log: (line: string) => lines.push(line), retryMs: 100 };
	t.after(async () => {
		await job.stop();
		if (before === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = before;
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	return { job, lines, cache, repository, begin: () => beginIndex(repository, job, options) };
}

function seen(job: IndexJob, state: string): Promise<string> {
	return new Promise((resolve) => job.on("change", (now) => now.state === state && resolve(state)));
}
