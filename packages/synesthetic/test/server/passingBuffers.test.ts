import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { PassingBuffers } from "../../src/server/host/passingBuffers.ts";

test("buffers that have passed do not pile up", async () => {
	const passing = new PassingBuffers();
	const before = process.memoryUsage().arrayBuffers;
	let most = 0;
	for (let i = 0; i < 400; i += 1) {
		passing.passed(Buffer.allocUnsafeSlow(64 * 1024).fill(i).length);
		await turn();
		most = Math.max(most, process.memoryUsage().arrayBuffers - before);
	}
	assert.ok(most < 8 * 1024 * 1024, `${most} bytes of 25 MiB at once`);
});
