// S23: the end of a host, asked for or not.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { findLeftovers } from "../../src/testing/testSession.ts";
import { contentOf } from "./fixtureSession.ts";
import { type HostedProcess, hostedProcess } from "./hostedProcess.ts";

const GRACE_MS = 500;

const ENDINGS: Readonly<Record<string, { modern: boolean; end(hosted: HostedProcess): void }>> = {
	"the end of its input": { modern: false, end: ({ client }) => client.end() },
	"the end of its input (modern)": { modern: true, end: ({ client }) => client.end() },
	SIGTERM: { modern: false, end: ({ child }) => child.kill("SIGTERM") },
	SIGINT: { modern: false, end: ({ child }) => child.kill("SIGINT") },
	SIGHUP: { modern: false, end: ({ child }) => child.kill("SIGHUP") },
};

// At once, since each is mostly a wait: for a call without an answer a host gives a client that closed its end ten seconds.
void describe("the ends of a host", { concurrency: true }, () => {
	for (const [name, { modern, end }] of Object.entries(ENDINGS)) {
		verifies(
			"000-p2-1-no-orphans",
			`S23: on ${name} what is in flight is answered, and nothing of the worker's tree is left`,
			async (t) => {
				const hosted = await hostedProcess(t, { children: true }, { graceMs: GRACE_MS, modern });
				const { client, mark, exited } = hosted;
				contentOf(await client.call("read", { key: "warm" }));
				await until(() => mark.living().length >= 4, "the worker's children");
				const short = client.call("pay", { key: "short", ms: 300 });
				const endless = client.call("pay", { key: "endless", fail: "mute" });
				await until(() => hosted.log.arrivals("pay", "endless") === 1, "the calls to arrive");
				end(hosted);
				assert.equal(contentOf(await short).key, "short");
				const exit = await exited;
				assert.deepEqual({ code: exit.code, signal: exit.signal }, { code: 0, signal: null }, hosted.stderr());
				assert.deepEqual(await findLeftovers(mark, 30_000), []);
				void endless;
				assert.deepEqual(client.violations, []);
			},
			{ timeout: 120_000 },
		);
	}
});

verifies(
	["000-p2-1-host-killed-no-orphans", "000-p2-1-no-orphans"],
	"S23: after SIGKILL of the host its guardian ends the whole tree, a detached child included",
	async (t) => {
		const { client, child, mark, exited } = await hostedProcess(t, { children: true }, { graceMs: GRACE_MS });
		contentOf(await client.call("read", { key: "warm" }));
		await until(() => mark.living().length >= 4, "the worker's children");
		child.kill("SIGKILL");
		assert.equal((await exited).signal, "SIGKILL");
		assert.deepEqual(await findLeftovers(mark, 30_000), []);
	},
	{ timeout: 120_000 },
);

verifies(
	"000-p2-1-no-orphans",
	"a host whose client vanished without a word ends, and takes its workers along",
	async (t) => {
		const { client, child, mark } = await hostedProcess(t, {}, { graceMs: GRACE_MS });
		contentOf(await client.call("read", { key: "warm" }));
		child.stdout?.destroy();
		child.stdin?.destroy();
		assert.deepEqual(await findLeftovers(mark, 30_000), []);
		await delay(1);
	},
	{ timeout: 120_000 },
);
