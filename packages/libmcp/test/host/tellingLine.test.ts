import assert from "node:assert/strict";
import { test } from "node:test";
import { tellingLine } from "../../src/host/worker/tellingLine.ts";

test("the cause of an end is told, not the stack or the notices below it", () => {
	const lines = ["starting", "npm error could not determine executable to run", "    at run (main.js:1:1)", "^^^"];
	const notice = "npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log";
	assert.equal(tellingLine([...lines, notice, "Node.js v24.0.0"]), lines[1]);
	assert.equal(tellingLine(["starting", notice]), "starting");
	assert.equal(tellingLine(["fatal: not a git repository", "cleaning up"]), "fatal: not a git repository");
});
