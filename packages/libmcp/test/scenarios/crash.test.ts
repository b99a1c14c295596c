// S1 to S4, S12 and S15: a worker that dies, in both eras of the protocol.
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { applyLoad, createRandom, injectChaos } from "../../src/testing/chaos.ts";
import { fixtureCommand } from "../../src/testing/fixtureConfig.ts";
import type { Answer } from "../../src/testing/testClient.ts";
import { contentOf, ERAS, faultOf, fixtureSession, killWorker } from "./fixtureSession.ts";

for (const { era, modern } of ERAS) {
	verifies(
		[
			"002-problem-statement-stable-host",
			"002-health-generation",
			"002-health-restart-count",
			"002-topologies-proxied-mcp-worker",
		],
		`S1: a worker killed while idle is replaced without a byte to the client (${era})`,
		async (t) => {
			const session = await fixtureSession(t, {}, { modern });
			contentOf(await session.client.call("read", { key: "a" }));
			const before = session.host.health();
			const heard = session.client.notifications.length;
			const dead = await killWorker(session);
			await until(() => session.host.health().restartCount === before.restartCount + 1, "the restart");
			const alive = await session.worker();
			assert.notEqual(alive, dead);
			assert.equal(session.client.notifications.length, heard);
			assert.equal(session.client.ended, false);
			const answer = contentOf(await session.client.call("read", { key: "b" }));
			assert.equal(answer.pid, alive);
			const after = session.host.health();
			assert.equal(after.restartCount, before.restartCount + 1);
			assert.equal(after.generation, before.generation + 1);
			assert.equal(after.state, "ready");
			assert.equal(after.lastFault?.class, "process");
			if (!modern)
				assert.equal(contentOf(await session.client.call("whoami")).initialized, true, "the handshake was replayed");
		},
		{ timeout: 120_000 },
	);

	verifies(
		[
			"002-problem-statement-one-terminal-answer",
			"002-problem-statement-recovery-tests",
			"002-telemetry-request-counts",
			"002-telemetry-success-error-counts",
			"002-telemetry-retry-counts",
		],
		`S2: twenty kills under load, and every id has one answer, no payment is made twice (${era})`,
		async (t) => {
			const kills = modern ? 8 : 20;
			// On a slow machine a kill may come before a worker's first answer; this is not about the breaker.
			const restarts = { intensity: 1_000, maxBackoffMs: 100 };
			const { client, host, log } = await fixtureSession(t, {}, { modern, restarts });
			contentOf(await client.call("read", { key: "warm" }));
			let replays = 0;
			host.events.on("replay", () => replays++);
			const random = createRandom(7);
			let striking = true;
			const strikes = injectChaos(() => (host.state().ready ? host.state().workerPid : undefined), {
				times: kills,
				minMs: 30,
				maxMs: 250,
				random,
			}).finally(() => {
				striking = false;
			});
			const answers = new Map<string, Answer>();
			let n = 0;
			while (striking || answers.size < 400) {
				await applyLoad({
					calls: 200,
					inFlight: 200,
					perSecond: 500,
					run: async () => {
						const tool = (["read", "put", "pay"] as const)[n % 3] ?? "read";
						const key = `${tool}-${n++}`;
						answers.set(key, await client.call(tool, { key, ms: Math.floor(random() * 40) }));
					},
				});
			}
			assert.equal((await strikes).length, kills);
			assert.deepEqual(client.waiting, []);
			assert.deepEqual(log.doubled("pay"), []);
			assert.deepEqual(log.doubled("put"), []);
			const paid = new Set(
				log
					.lines()
					.filter(({ what, tool }) => what === "effect" && tool === "pay")
					.map(({ key }) => key),
			);
			let failures = 0;
			for (const [key, answer] of answers) {
				if (answer.error !== undefined) failures++;
				if (key.startsWith("pay") && answer.error === undefined)
					assert.ok(paid.has(key), `${key} was answered and never made`);
				else if (key.startsWith("pay")) assert.equal(faultOf(answer).class, "ambiguous_outcome");
				else if (answer.error !== undefined) assert.equal(faultOf(answer).code, "replay_exhausted");
			}
			const { totals } = host.telemetry();
			assert.equal(totals.requests, totals.successes + totals.errors + totals.cancelled + totals.inFlight);
			assert.equal(totals.inFlight, 0);
			assert.equal(totals.errors, failures);
			assert.equal(totals.retries, replays);
			// The last kill may come when every call has been answered.
			await until(() => host.health().restartCount >= kills, "the last restart");
			assert.equal(host.health().restartCount, kills);
		},
		{ timeout: 120_000 },
	);

	verifies(
		["002-replay-never-replay", "002-faults-class-ambiguous", "002-faults-on-the-wire"],
		`S3: a payment that was made and not answered is reported as such, and never made again (${era})`,
		async (t) => {
			const { client, log, host } = await fixtureSession(t, {}, { modern });
			const answer = await client.call("pay", { key: "p1", fail: "after" });
			const fault = faultOf(answer);
			assert.equal(answer.error?.code, -32603);
			assert.deepEqual(
				{ class: fault.class, code: fault.code, generation: fault.generation, retry: fault.retry },
				{ class: "ambiguous_outcome", code: "outcome_unknown", generation: 1, retry: "unsafe" },
			);
			assert.match(answer.error.message, /may or may not have taken effect/);
			contentOf(await client.call("read", { key: "after" }));
			assert.equal(log.effects("pay", "p1"), 1);
			assert.equal(log.arrivals("pay", "p1"), 1);
			assert.equal(host.telemetry().totals.retries, 0);
		},
		{ timeout: 120_000 },
	);

	verifies(
		"002-replay-dispatch-from-first-byte",
		`S4: a payment that was only queued when the worker died runs once on the next (${era})`,
		async (t) => {
			const session = await fixtureSession(t, {}, { modern });
			const { client, log, host } = session;
			contentOf(await client.call("read", { key: "warm" }));
			await killWorker(session);
			await until(() => !host.state().ready, "the loss to be noticed");
			const answer = await client.call("pay", { key: "queued" });
			assert.equal(contentOf(answer).key, "queued");
			assert.equal(log.effects("pay", "queued"), 1);
			assert.equal(host.telemetry().totals.retries, 0);
		},
		{ timeout: 120_000 },
	);
}

verifies(
	"002-replay-convergent",
	"a convergent call in flight at the death is run again and answered once",
	async (t) => {
		const { client, log, host } = await fixtureSession(t);
		const answer = contentOf(await client.call("read", { key: "r", fail: "after", times: 1 }));
		assert.equal(answer.key, "r");
		assert.equal(log.arrivals("read", "r"), 2);
		const put = contentOf(await client.call("put", { key: "d", fail: "after", times: 1 }));
		assert.equal(put.key, "d");
		assert.equal(log.effects("put", "d"), 1);
		assert.equal(host.telemetry().totals.retries, 2);
	},
	{ timeout: 120_000 },
);

test("S12: half an answer never reaches the client, and its size is told", { timeout: 120_000 }, async (t) => {
	const { client, log, host } = await fixtureSession(t);
	const faults: string[] = [];
	host.events.on("fault", (fault) => faults.push(fault.detail));
	const answer = await client.call("pay", { key: "half", fail: "middle" });
	assert.equal(faultOf(answer).class, "ambiguous_outcome");
	assert.equal(log.effects("pay", "half"), 1);
	assert.ok(
		faults.some((detail) => /SIGKILL, \d+ bytes of an unfinished message/.test(detail)),
		faults.join("\n"),
	);
	const read = contentOf(await client.call("read", { key: "again", fail: "middle", times: 1 }));
	assert.equal(read.key, "again");
});

verifies(
	["002-faults-class-resource", "002-faults-class-process"],
	"S15: a worker out of memory is a resource fault, one that exits with 0 a process fault, and both are replaced",
	async (t) => {
		const { client, host, log } = await fixtureSession(t);
		const faults: { class: string; code: string }[] = [];
		host.events.on("fault", (fault) => faults.push({ class: fault.class, code: fault.code }));
		assert.equal(faultOf(await client.call("pay", { key: "bye", fail: "exit" })).class, "ambiguous_outcome");
		assert.deepEqual(faults, [{ class: "process", code: "worker_exited" }]);
		const outcome = await host.rollout(fixtureCommand({ effects: log.path }, ["--max-old-space-size=30"]));
		assert.ok(outcome.ok);
		assert.equal(faultOf(await client.call("pay", { key: "big", fail: "oom" })).class, "ambiguous_outcome");
		assert.deepEqual(faults.at(-1), { class: "resource", code: "out_of_memory" });
		contentOf(await client.call("read", { key: "still here" }));
	},
	{ timeout: 120_000 },
);
