import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { makeCallLog } from "../../src/server/serveMcp.ts";

test("deferred log lines are written together, and before any urgent line", async () => {
	const written: string[] = [];
	const log = makeCallLog((text) => written.push(text));
	log("one", "later");
	log("two", "later");
	assert.deepEqual(written, []);
	log("three");
	assert.deepEqual(written, ["pairofcleats: one\npairofcleats: two\npairofcleats: three\n"]);
	log("four", "later");
	while (written.length < 2) await delay(5);
	assert.equal(written[1], "pairofcleats: four\n");
	for (let at = 0; at < 64; at++) log("many", "later");
	assert.equal(written.length, 3);
	log("five", "later");
	process.emit("exit", 0);
	assert.equal(written[3], "pairofcleats: five\n");
});
