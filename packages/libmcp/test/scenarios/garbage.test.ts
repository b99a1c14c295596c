// S11, S13 and S14: workers that write what they should not, too much, or that stop reading.
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { verifies } from "../../../../e2e/verifies.ts";
import { host } from "../../src/control/host.ts";
import { fixtureCommand } from "../../src/testing/fixtureConfig.ts";
import { TestClient } from "../../src/testing/testClient.ts";
import { createSessionMark, findLeftovers } from "../../src/testing/testSession.ts";
import { contentOf, faultOf, fixtureSession, temporary } from "./fixtureSession.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
const FRAME_LIMIT = 10 * 1024 * 1024;

verifies(
	["002-faults-class-protocol", "002-problem-statement-recovery-tests"],
	"S11: a thousand stray lines and ten megabytes of noise reach nobody, and the answers between them do",
	async (t) => {
		const { client, host } = await fixtureSession(t);
		const faults: string[] = [];
		host.events.on("fault", ({ class: kind, code }) => faults.push(`${kind}.${code}`));
		contentOf(await client.call("read", { key: "before" }));
		const before = process.memoryUsage().arrayBuffers;
		const answers = await Promise.all([
			client.call("read", { key: "noisy", fail: "spew", times: 1 }),
			...Array.from({ length: 20 }, (_, n) => client.call("read", { key: `n${n}`, ms: n })),
		]);
		for (const answer of answers) contentOf(answer);
		assert.deepEqual(client.violations, []);
		assert.deepEqual(faults, ["protocol.garbage_output"], "one fault to the burst");
		assert.equal(host.health().restartCount, 0, "it is not replaced for a burst");
		const grown = () => process.memoryUsage().arrayBuffers - before;
		for (let tries = 0; tries < 10 && grown() >= 2 * FRAME_LIMIT; tries++) {
			collectGarbage();
			await delay(20);
		}
		assert.ok(grown() < 2 * FRAME_LIMIT, `grew by ${grown()} bytes`);
	},
	{ timeout: 120_000 },
);

test("S11: a worker that goes on and on is replaced", { timeout: 120_000 }, async (t) => {
	const { client, host } = await fixtureSession(t, {}, { garbage: { lines: 500 } });
	contentOf(await client.call("read", { key: "warm" }));
	await client.call("read", { key: "noisy", fail: "spew", times: 1 });
	contentOf(await client.call("read", { key: "after" }));
	assert.ok(host.health().restartCount >= 1);
	assert.equal(host.telemetry().faults["protocol.garbage_flood"], 1);
});

verifies(
	["002-faults-class-resource", "002-scope-frame-helpers"],
	"S13: large answers among small ones stay whole, and one over the limit fails its own call in either direction",
	async (t) => {
		const { client, host } = await fixtureSession(t);
		contentOf(await client.call("read", { key: "warm" }));
		const large = Array.from({ length: 4 }, (_, n) =>
			client.call("read", { key: `large${n}`, bytes: 4 * 1024 * 1024 }),
		);
		const small = Array.from({ length: 100 }, (_, n) => client.call("read", { key: `small${n}` }));
		for (const [n, answer] of (await Promise.all(large)).entries()) {
			const { key, padding } = contentOf(answer);
			assert.equal(key, `large${n}`);
			assert.equal(padding, "p".repeat(4 * 1024 * 1024));
		}
		for (const [n, answer] of (await Promise.all(small)).entries()) assert.equal(contentOf(answer).key, `small${n}`);

		const [tooLarge, neighbour] = await Promise.all([
			client.call("read", { key: "huge", fail: "huge" }),
			client.call("read", { key: "neighbour" }),
		]);
		assert.deepEqual(
			{ class: faultOf(tooLarge).class, code: faultOf(tooLarge).code },
			{ class: "resource", code: "answer_too_large" },
		);
		assert.equal(contentOf(neighbour).key, "neighbour");

		const outgoing = await client.call("read", { key: "x".repeat(FRAME_LIMIT + 1) });
		assert.equal(faultOf(outgoing).code, "frame_too_large");
		assert.equal(outgoing.error?.code, -32600);
		contentOf(await client.call("read", { key: "after" }));
		assert.equal(host.health().restartCount, 0);
	},
	{ timeout: 120_000 },
);

test("S14: a worker that does not read and calls that pile up end in explicit refusals, not in a deadlock", {
	timeout: 120_000,
}, async (t) => {
	const { client, log, host } = await fixtureSession(
		t,
		{},
		{ maxQueue: 50, maxInFlight: 50, deadlines: { hardMs: 6_000 }, graceMs: 200 },
	);
	contentOf(await client.call("read", { key: "warm" }));
	const stuck = client.call("read", { key: "stuck", fail: "hang", times: 1 });
	const padding = "p".repeat(20_000);
	const answers = await Promise.all(
		Array.from({ length: 300 }, (_, n) => client.call("read", { key: `k${n}`, padding })),
	);
	assert.equal(faultOf(await stuck).class, "timeout");
	const refused = answers.filter(({ error }) => error?.code === -32001);
	assert.ok(refused.length >= 200, `${refused.length} refused`);
	const overload = refused[0]?.error?.data;
	assert.ok(typeof overload === "object" && overload !== null && "max" in overload && "size" in overload);
	assert.equal(overload.max, 50);
	assert.ok(host.telemetry().totals.inFlight === 0);
	assert.ok(log.lines().length > 0);
	contentOf(await client.call("read", { key: "after" }));
});

test("S14: a client that stops reading holds up the worker, not the host's memory", { timeout: 120_000 }, async (t) => {
	const folder = temporary(t);
	const toHost = new PassThrough();
	const fromHost = new PassThrough({ highWaterMark: 64 * 1024 });
	const mark = createSessionMark();
	const running = host({
		...fixtureCommand({ effects: `${folder}/effects.jsonl` }),
		env: mark.env,
		onWorkerStderr: () => {},
		client: { input: toHost, output: fromHost },
	});
	t.after(() => {
		fromHost.resume();
		return running.close();
	});
	const client = new TestClient({ from: fromHost, to: toHost });
	await client.connect();
	contentOf(await client.call("read", { key: "warm" }));
	fromHost.pause();
	collectGarbage();
	const calls = Array.from({ length: 64 }, (_, n) => client.call("read", { key: `k${n}`, bytes: 1024 * 1024 }));
	await delay(1_500);
	collectGarbage();
	const held = process.memoryUsage().arrayBuffers;
	assert.ok(held < 40 * 1024 * 1024, `${held} bytes of buffers`);
	fromHost.resume();
	for (const answer of await Promise.all(calls)) contentOf(answer);
	assert.deepEqual(client.violations, []);
	toHost.end();
	await running.close();
	assert.deepEqual(await findLeftovers(mark, 30_000), []);
});
