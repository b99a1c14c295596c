import assert from "node:assert/strict";
import { test } from "node:test";
import { clausesOf } from "../../src/search/text/clauses.ts";

const TASK = "read the newest messages of every channel, summarise each thread, translate the summary into French";

test("the steps of a task are found over any number of blanks", () => {
	const blanks = " \t".repeat(500_000);
	const steps = clausesOf(`${TASK}${blanks}and then${blanks}send an email to the whole team`);
	assert.ok(steps.includes("send an email to the whole team"));
	assert.ok(steps.includes("translate the summary into French"));
});
