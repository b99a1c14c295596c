// Kills and upgrades for as long as the soak runs: `npm run soak -- packages/libmcp/test/scenarios/churn.soak.ts`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyLoad, createRandom, injectChaos } from "../../src/testing/chaos.ts";
import { contentOf, faultOf, fixtureSession } from "./fixtureSession.ts";

const MINUTES = Number(process.env.HOLDFAST_SOAK_MINUTES ?? 10);

test(`${MINUTES} minutes of kills and upgrades under load`, { timeout: (MINUTES + 2) * 60_000 }, async (t) => {
	const seed = Date.now() % 1_000_000;
	const random = createRandom(seed);
	const restarts = { intensity: 1_000, maxBackoffMs: 100 };
	const { client, host, log, command } = await fixtureSession(t, {}, { restarts, rollouts: { probationMs: 500 } });
	contentOf(await client.call("read", { key: "warm" }));
	const until = performance.now() + MINUTES * 60_000;
	const going = () => performance.now() < until;
	let kills = 0;
	let upgrades = 0;
	const killing = (async () => {
		while (going()) {
			const victim = () => (host.state().ready ? host.state().workerPid : undefined);
			kills += (await injectChaos(victim, { times: 1, minMs: 50, maxMs: 1_500, random })).length;
		}
	})();
	const upgrading = (async () => {
		while (going()) {
			const outcome = await host.rollout(command({ release: String(upgrades + 1) }));
			if (outcome.ok) upgrades++;
			await new Promise((resolve) => setTimeout(resolve, random() * 2_000));
		}
	})();
	let calls = 0;
	while (going()) {
		const run = async () => {
			const key = `k${calls++}`;
			const tool = (["read", "put", "pay"] as const)[calls % 3] ?? "read";
			const answer = await client.call(tool, { key, ms: Math.floor(random() * 60) });
			if (answer.error === undefined) return;
			const { class: kind } = faultOf(answer);
			assert.ok(
				tool === "pay" ? kind === "ambiguous_outcome" : kind === "replay" || kind === "rollout",
				`${tool}: ${kind}`,
			);
		};
		await applyLoad({ calls: 300, inFlight: 60, perSecond: 400, run });
		const { totals } = host.telemetry();
		assert.equal(totals.requests, totals.successes + totals.errors + totals.cancelled + totals.inFlight);
	}
	await Promise.all([killing, upgrading]);
	assert.deepEqual(client.waiting, [], `seed ${seed}`);
	assert.deepEqual(log.doubled("pay"), [], `seed ${seed}`);
	assert.deepEqual(log.doubled("put"), [], `seed ${seed}`);
	t.diagnostic(`${calls} calls, ${kills} kills, ${upgrades} upgrades, seed ${seed}`);
});
