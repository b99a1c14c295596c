// S9 and S10: calls that take too long, and those that only seem to.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { parseContracts } from "../../src/host/settings/contractFile.ts";
import { FIXTURE_CONTRACT } from "../../src/testing/fixtureConfig.ts";
import { contentOf, faultOf, fixtureSession } from "./fixtureSession.ts";

// At once, since each mostly waits for a limit to pass.
void describe("limits", { concurrency: 3 }, () => {
	verifies(
		["002-faults-class-timeout", "002-problem-statement-stable-host"],
		"S9: a worker that answers nobody is replaced at the deadline, its calls end by their contracts",
		async (t) => {
			const session = await fixtureSession(t, {}, { contract: limited({ deadlineMs: 4_000 }), graceMs: 300 });
			const { client, log, host } = session;
			contentOf(await client.call("whoami"));
			const hung = await session.worker();
			const stuck = client.call("read", { key: "stuck", fail: "hang" });
			await until(() => log.arrivals("read", "stuck") === 1, "the hang");
			const pay = client.call("pay", { key: "p" });
			const put = client.call("put", { key: "neighbour" });
			const fault = faultOf(await stuck);
			assert.deepEqual({ class: fault.class, retry: fault.retry }, { class: "timeout", retry: "safe" });
			assert.equal(faultOf(await pay).class, "ambiguous_outcome");
			assert.equal(contentOf(await put).key, "neighbour");
			await until(() => !session.mark.living().includes(hung), "the hung worker's end");
			assert.equal(host.health().restartCount, 1);
		},
		{ timeout: 120_000 },
	);

	verifies(
		["002-problem-statement-stable-host"],
		"S10: progress keeps a slow call alive, never goes back over a replay, and the hard limit still holds",
		async (t) => {
			const contract = limited({ inactivityMs: 1_500, deadlineMs: 6_000 });
			const { client, log, host } = await fixtureSession(t, {}, { contract });
			contentOf(await client.call("whoami"));
			const endless = client.call("read", { key: "endless", ms: 20_000, progressMs: 200 }, { progressToken: "b" });
			const slow = await client.call("read", { key: "slow", ms: 3_500, progressMs: 200 }, { progressToken: "a" });
			assert.equal(contentOf(slow).key, "slow");
			assert.equal(host.health().restartCount, 0);

			const silent = await client.call("read", { key: "silent", ms: 20_000 });
			assert.equal(faultOf(silent).class, "timeout");

			assert.equal(faultOf(await endless).class, "timeout");

			const before = client.notifications.length;
			// Without a limit on the whole, which a slow restart would use up.
			const replayed = client.call("put", { key: "again", ms: 4_000, progressMs: 100 }, { progressToken: "c" });
			await until(() => client.notifications.length >= before + 4, "some progress");
			const arrival = log.lines().find(({ what, key }) => what === "arrived" && key === "again");
			process.kill(arrival?.pid ?? Number.NaN, "SIGKILL");
			assert.equal(contentOf(await replayed).key, "again");
			const values = client.notifications
				.filter(({ method, params }) => method === "notifications/progress" && params.progressToken === "c")
				.map(({ params }) => Number(params.progress));
			assert.ok(values.length > 4, `${values.length} notifications`);
			assert.deepEqual(
				values,
				[...new Set(values)].sort((a, b) => a - b),
				"monotonic",
			);
		},
		{ timeout: 120_000 },
	);

	verifies(
		["002-problem-statement-stable-host"],
		"a call that waits for the next worker is not silent: only its limit on the whole counts meanwhile",
		async (t) => {
			const contract = limited({ inactivityMs: 1_000 });
			const { client, log, host } = await fixtureSession(t, { startup: { kind: "slow", ms: 2_500 } }, { contract });
			const lost = client.call("read", { key: "lost", fail: "before", times: 1 });
			await until(() => host.health().restartCount === 1, "the worker's end");
			const queued = client.call("read", { key: "queued" });
			assert.equal(contentOf(await lost).key, "lost");
			assert.equal(contentOf(await queued).key, "queued");
			assert.equal(log.arrivals("read", "lost"), 2);
			assert.equal(faultOf(await client.call("read", { key: "mute", fail: "mute" })).class, "timeout");
		},
		{ timeout: 120_000 },
	);
});

verifies(
	["002-problem-statement-stable-host"],
	"an answer that came while the host itself was held up is given, though its limit has passed meanwhile",
	async (t) => {
		const contract = limited({ deadlineMs: 1_500, inactivityMs: 1_000 });
		const { client, log, host } = await fixtureSession(t, {}, { contract });
		contentOf(await client.call("whoami"));
		const held = client.call("read", { key: "held", ms: 200 });
		await until(() => log.arrivals("read", "held") === 1, "the call's arrival");
		// From here the loop looks at its timers first.
		await new Promise((resolve) => setImmediate(resolve));
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
		assert.equal(contentOf(await held).key, "held");
		assert.equal(host.health().restartCount, 0);
	},
	{ timeout: 120_000 },
);

/** The fixture's contracts, with limits on `read` alone: a slow machine must not fail at its handshake. */
function limited(limits: { readonly deadlineMs?: number; readonly inactivityMs?: number }) {
	const { read, ...tools } = FIXTURE_CONTRACT.tools;
	return parseContracts({ tools: { ...tools, read: { ...read, ...limits } } });
}
