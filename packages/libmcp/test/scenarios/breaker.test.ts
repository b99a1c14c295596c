// S16: a worker that dies at its start.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { contentOf, faultOf, fixtureSession, killWorker, temporary } from "./fixtureSession.ts";

verifies(
	[
		"002-health-lifecycle-state",
		"002-health-restart-count",
		"002-health-consecutive-failures",
		"002-failure-shaping-retry-hint",
		"002-telemetry-restart-fault",
	],
	"S16: a crash loop backs off, trips the breaker, fails fast with a hint, and heals when the server is mended",
	async (t) => {
		const switchOff = join(temporary(t), "broken");
		const restarts = {
			intensity: 4,
			periodMs: 20_000,
			backoffMs: 100,
			maxBackoffMs: 2_000,
			coolDownMs: 1_500,
			stableMs: 60_000,
		};
		const session = await fixtureSession(t, { brokenWhile: switchOff }, { restarts });
		const { client, host, log } = session;
		contentOf(await client.call("read", { key: "warm" }));
		const delays: number[] = [];
		host.events.on("restart", (_fault, delayMs) => delays.push(delayMs));
		writeFileSync(switchOff, "");
		await killWorker(session);
		await until(() => host.state().breaker === "open", "the breaker to open");
		assert.equal(host.health().state, "failing");
		// The first death followed an answer and costs nothing; then at once, 100, 200, 400, and the pause.
		for (const [n, nominal] of [0, 0, 100, 200, 400, 1_500].entries()) {
			const actual = delays[n] ?? Number.NaN;
			assert.ok(Math.abs(actual - nominal) <= nominal * 0.2, `delay ${n}: ${actual}, expected about ${nominal}`);
		}
		assert.equal(delays.length, 6);

		const cpu = process.cpuUsage();
		const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => client.call("pay", { key: `fast${n}` })));
		for (const answer of answers) {
			const fault = faultOf(answer);
			assert.equal(fault.code, "worker_unavailable");
			assert.equal(fault.retry, "later");
			assert.ok((fault.retryAfterMs ?? 0) > 0 && (fault.retryAfterMs ?? 0) <= 1_500);
			assert.match(answer.error?.message ?? "", /Retry after \d+ s\./);
		}
		assert.equal(log.lines().filter(({ tool }) => tool === "pay").length, 0);
		await delay(1_000);
		const spent = process.cpuUsage(cpu);
		assert.ok(spent.user + spent.system < 1_000_000, "it does not spin");
		assert.ok(host.health().consecutiveFailures >= 5);
		assert.equal(host.telemetry().restartFault?.class, "process");

		rmSync(switchOff);
		await until(() => host.state().ready, "the mended worker");
		contentOf(await client.call("read", { key: "mended" }));
		assert.equal(host.state().breaker, "closed");
		assert.equal(host.health().state, "ready");
		assert.equal(host.health().consecutiveFailures, 0);
		assert.equal(host.health().restartCount, host.health().generation - 1, "each start after the first is counted");
		assert.equal(client.ended, false);
		const closed = host.close();
		assert.equal(host.health().state, "stopping");
		await closed;
		assert.equal(host.health().state, "stopped");
	},
	{ timeout: 120_000 },
);
