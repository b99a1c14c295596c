import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { noCertificates } from "../../../../e2e/selfSigned.ts";
import { churn } from "./churn.ts";

/** The same case short and light in the suite, and in the soak long and as heavy as the gateway bears. */
export function churnCase(durationMs: number, mostPerSecond: number): void {
	test(`${durationMs / 1_000} s of load with faults give no wrong answer and leave nothing behind`, {
		timeout: durationMs + 120_000,
		skip: process.platform === "linux" ? noCertificates : "reads /proc",
	}, async (t) => {
		const folder = mkdtempSync(join(tmpdir(), "metatools-churn-"));
		try {
			const seen = await churn(folder, durationMs, mostPerSecond);
			t.diagnostic(JSON.stringify({ ...seen, wrong: seen.wrong.length }));
			assert.deepEqual(seen.wrong, []);
			assert.ok(
				seen.answers > 50 && seen.kills > 0 && seen.reloads > 0 && seen.swaps > 0 && seen.dropped > 0,
				JSON.stringify(seen),
			);
			assert.ok(seen.sessionsOpened > 0 && seen.sessionsLeft === 0, `${seen.sessionsLeft} sessions left`);
			assert.ok(seen.children[1] <= seen.children[0], `children ${seen.children.join(" then ")}`);
			// A reconnecting upstream may hold a pipe or two more at the moment of looking.
			assert.ok(seen.descriptors[1] <= seen.descriptors[0] + 6, `descriptors ${seen.descriptors.join(" then ")}`);
			assert.ok(seen.megabytes[1] <= seen.megabytes[0] * 1.25 + 10, `megabytes ${seen.megabytes.join(" then ")}`);
			assert.equal(seen.exitCode, 0, "nothing keeps it from ending");
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
}
