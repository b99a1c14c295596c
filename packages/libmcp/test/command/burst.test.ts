import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { groupBursts } from "../../src/command/watchPath.ts";

test("a burst of touches is one run, and the next burst another", async (t) => {
	let runs = 0;
	const { touch, stop } = groupBursts(() => runs++, { quietMs: 10, mostMs: 60_000 });
	t.after(stop);
	for (let n = 0; n < 5; n++) touch();
	await until(() => runs > 0, "the burst is over");
	touch();
	await until(() => runs > 1, "the next is over");
	assert.equal(runs, 2);
});

test("a burst that never ends runs all the same, again and again", async (t) => {
	let runs = 0;
	const { touch, stop } = groupBursts(() => runs++, { quietMs: 60_000, mostMs: 50 });
	t.after(stop);
	const touching = setInterval(touch, 5);
	t.after(() => clearInterval(touching));
	await until(() => runs > 2, "it has run");
});

test("a burst that is stopped does not run", async () => {
	let runs = 0;
	const stopped = groupBursts(() => runs++, { quietMs: 1, mostMs: 1 });
	let others = 0;
	const other = groupBursts(() => others++, { quietMs: 1, mostMs: 1 });
	stopped.touch();
	stopped.stop();
	other.touch();
	await until(() => others === 1, "one that was touched later has run");
	assert.equal(runs, 0);
});
