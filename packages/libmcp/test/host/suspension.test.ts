import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { makeParts } from "../../src/host/parts.ts";

test("a host suspended while its worker was starting has another one when it resumes", async (t) => {
	const { supervisor, roster } = makeParts({
		command: process.execPath,
		args: ["-e", "process.stdin.resume()"],
		client: { input: new PassThrough(), output: new PassThrough() },
	});
	t.after(() => supervisor.stop());
	const starting = supervisor.start();
	await supervisor.suspend();
	await starting;
	const left = roster.active;
	assert.equal(left, undefined);
	supervisor.resume();
	await until(() => roster.active?.ready === true, "a worker serves");
	assert.equal(roster.active?.generation, 2);
});
