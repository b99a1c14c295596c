import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import type { HostOptions } from "../../src/host/settings/options.ts";
import { Bench, FIXTURE_COMMAND } from "../host/harness.ts";

const NOT_THERE = { command: "/no/such/command", args: [] };

test("a release that never started is given up under its number, and the one that serves becomes stable", async (t) => {
	const { bench, steps } = await steppingBench(t);
	assert.equal((await bench.host.rollout(NOT_THERE)).ok, false);
	assert.deepEqual(steps.splice(0), ["starting 2", "aborting 2", "stable 1"]);
	assert.equal((await bench.host.rollout()).ok, true);
	assert.equal((await bench.host.rollout(NOT_THERE)).ok, false);
	assert.equal((await bench.host.rollout()).ok, true);
	const told = ["switching 3", "probation 3", "starting 4", "aborting 4", "probation 3", "starting 5"];
	assert.deepEqual(steps.slice(steps.indexOf("switching 3"), steps.indexOf("starting 5") + 1), told);
	assert.deepEqual(steps.slice(-3), ["switching 5", "stable 3", "probation 5"]);
});

test("a release that is rolled back and the one that serves again are named by their own numbers", async (t) => {
	const { bench, steps } = await steppingBench(t, { rollouts: { crashLimit: 1 } });
	assert.equal((await bench.host.rollout({ ...FIXTURE_COMMAND, env: { RELEASE: "2" } })).ok, true);
	assert.equal((await bench.host.rollout(NOT_THERE)).ok, false);
	bench.killWorker();
	await until(() => steps.at(-1)?.startsWith("stable") === true, "the release before serves again");
	assert.deepEqual(steps.slice(-3), ["probation 2", "rolling_back 2", "stable 1"]);
	assert.equal(bench.host.health().lastFault?.generation, 2);
});

async function steppingBench(
	t: TestContext,
	options: Partial<HostOptions> = {},
): Promise<{ bench: Bench; steps: string[] }> {
	const bench = new Bench(t, options);
	const steps: string[] = [];
	bench.host.events.on("rollout", (step, generation) => steps.push(`${step} ${generation}`));
	await bench.initialize();
	return { bench, steps };
}
