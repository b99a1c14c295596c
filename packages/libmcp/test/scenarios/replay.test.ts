// S5 to S8: what is repeated, in which order, and how often.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { CONTRACT, contentOf, faultOf, fixtureSession, killWorker } from "./fixtureSession.ts";

verifies(
	["002-replay-probe-required-took-effect", "002-replay-probe-required-clear", "002-replay-probe-required-unknown"],
	"S5: a probe decides: done is not run again, absent is run again once, unknown ends as ambiguous",
	async (t) => {
		const { client, log, host } = await fixtureSession(t, {}, { contract: CONTRACT });
		contentOf(await client.call("whoami"));

		const done = await client.call("job", { key: "done", fail: "after" });
		assert.equal(done.error, undefined);
		assert.match(JSON.stringify(done.result), /had taken effect/);
		assert.equal(log.effects("job", "done"), 1);
		assert.equal(host.telemetry().totals.retries, 0);

		const absent = contentOf(await client.call("job", { key: "absent", fail: "before", times: 1 }));
		assert.equal(absent.key, "absent");
		assert.equal(log.arrivals("job", "absent"), 2);
		assert.equal(log.effects("job", "absent"), 1);
		assert.equal(host.telemetry().totals.retries, 1);

		const unsure = client.call("job", { key: "unsure", fail: "after" });
		await until(() => log.effects("job", "unsure") === 1, "the effect");
		const younger = client.call("read", { key: "younger" });
		assert.equal(faultOf(await unsure).class, "ambiguous_outcome");
		assert.equal(log.arrivals("job", "unsure"), 1);
		contentOf(await younger);
	},
	{ timeout: 120_000 },
);

test("S6: calls run again in the order they came, before those that were only queued", {
	timeout: 120_000,
}, async (t) => {
	const session = await fixtureSession(t, {}, { contract: CONTRACT });
	const { client, log, host } = session;
	contentOf(await client.call("whoami"));
	const flying = Array.from({ length: 50 }, (_, n) =>
		client.call("read", { key: `f${n}`, ms: 30_000, fail: "mute", times: 1 }),
	);
	await until(() => log.arrivals("read", "f49") === 1, "fifty calls in flight");
	await killWorker(session);
	await until(() => !host.state().ready, "the loss to be noticed");
	const queued = Array.from({ length: 10 }, (_, n) => client.call("pay", { key: `q${n}` }));
	const again = () =>
		log
			.lines()
			.filter(({ what }) => what === "arrived")
			.slice(50)
			.map(({ key }) => key);
	await until(() => again().length === 60, "all of them to arrive again");
	assert.deepEqual(again(), [
		...Array.from({ length: 50 }, (_, n) => `f${n}`),
		...Array.from({ length: 10 }, (_, n) => `q${n}`),
	]);
	for (const call of queued) contentOf(await call);
	for (const id of flying.keys()) client.notify("notifications/cancelled", { requestId: id + 3 });
	await until(() => host.telemetry().totals.inFlight === 0, "the cancellations");
	const { totals } = host.telemetry();
	assert.equal(totals.cancelled, 50);
	assert.equal(totals.retries, 50);
});

verifies(
	"002-faults-class-replay-exhausted",
	"S7: a call that kills every worker spends its own budget, and its neighbours succeed",
	async (t) => {
		const { client, log } = await fixtureSession(t, {}, { contract: CONTRACT });
		contentOf(await client.call("whoami"));
		const innocents = Array.from({ length: 20 }, (_, n) => client.call("read", { key: `i${n}`, ms: 150 }));
		const pill = client.call("read", { key: "pill", fail: "before" });
		const fault = faultOf(await pill);
		assert.equal(fault.class, "replay");
		assert.equal(fault.code, "replay_exhausted");
		assert.ok(log.arrivals("read", "pill") <= 2, `${log.arrivals("read", "pill")} attempts`);
		for (const innocent of innocents) contentOf(await innocent);
	},
	{ timeout: 120_000 },
);

test("S8: a second death in the handshake and a third in the replay cost only what was really sent", {
	timeout: 120_000,
}, async (t) => {
	// The kill comes while the second worker is still in its handshake, and not after the call was sent to it.
	const startup = { kind: "slow", ms: 1_000 } as const;
	const { client, log, host } = await fixtureSession(t, { startup }, { contract: CONTRACT });
	contentOf(await client.call("whoami"));
	const call = client.call("read", { key: "r", fail: "after", times: 1 });
	const starts = () => log.lines().filter(({ what }) => what === "started");
	await until(() => starts().length === 2, "the second worker to start");
	process.kill(starts()[1]?.pid ?? Number.NaN, "SIGKILL");
	const answer = contentOf(await call);
	assert.equal(answer.key, "r");
	const { totals } = host.telemetry();
	assert.equal(totals.retries, log.arrivals("read", "r") - 1);
	assert.ok(totals.retries <= 2);

	const twice = contentOf(
		await client.call("read", { key: "twice", fail: "after", times: 2 }).then(async (first) => {
			if (first.error === undefined) return first;
			assert.equal(faultOf(first).code, "replay_exhausted");
			return client.call("read", { key: "twice", fail: "after", times: 2 });
		}),
	);
	assert.equal(twice.key, "twice");
	await delay(50);
	assert.deepEqual(client.waiting, []);
});

verifies(
	["002-replay-explicit-contract", "002-replay-process-policy-no-grant"],
	"a tool that declares nothing is at most once, whatever restarts or rolls out around it",
	async (t) => {
		const { client, log, host, command } = await fixtureSession(t, { undeclared: true });
		contentOf(await client.call("whoami"));
		assert.equal(faultOf(await client.call("read", { key: "a", fail: "after" })).class, "ambiguous_outcome");
		const slow = client.call("read", { key: "b", fail: "mute" });
		await until(() => log.arrivals("read", "b") === 1, "the call to arrive");
		// That the next release declares the tool safe says nothing of what this one did.
		assert.ok((await host.rollout(command({ undeclared: false, release: "2" }))).ok);
		assert.equal(faultOf(await client.call("pay", { key: "c", fail: "after" })).class, "ambiguous_outcome");
		assert.equal(log.arrivals("pay", "c"), 1);
		await host.restart();
		const serving = log.lines().find(({ what, key }) => what === "arrived" && key === "b");
		process.kill(serving?.pid ?? Number.NaN, "SIGKILL");
		assert.equal(faultOf(await slow).class, "ambiguous_outcome");
		assert.equal(log.arrivals("read", "b"), 1);
	},
	{ timeout: 120_000 },
);

verifies(
	"002-problem-statement-duplicate-id-refused",
	'a request under an id that is in flight is refused and leaves the first alone; 7 and "7" are two ids',
	async (t) => {
		const { client, log } = await fixtureSession(t);
		const params = (key: string) => ({ name: "pay", arguments: { key, ms: 300 } });
		const first = client.request("tools/call", params("first"), 7);
		client.send({ id: 7, method: "tools/call", params: params("second") });
		const other = client.request("tools/call", params("other"), "7");
		assert.equal(contentOf(await first).key, "first");
		assert.equal(contentOf(await other).key, "other");
		assert.equal(log.arrivals("pay", "second"), 0);
		assert.equal(client.anonymousErrors.length, 1);
		assert.equal(client.anonymousErrors[0]?.code, -32600);
		assert.match(JSON.stringify(client.anonymousErrors[0]?.data), /"duplicate_id"/);
	},
	{ timeout: 120_000 },
);
