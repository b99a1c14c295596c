// S19 and S22: candidates that are not good enough, and what a new worker must be told.
import assert from "node:assert/strict";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import type { FixtureConfig } from "../../src/testing/fixtureConfig.ts";
import { contentOf, fixtureSession, killWorker } from "./fixtureSession.ts";

const BAD_CANDIDATES: Readonly<Record<string, Partial<FixtureConfig>>> = {
	"exits at once": { startup: { kind: "exit", code: 1 } },
	"exits with 0": { startup: { kind: "exit", code: 0 } },
	"never answers": { startup: { kind: "silent" } },
	"answers with no JSON": { startup: { kind: "garbage" } },
	"speaks another version": { startup: { kind: "wrong_version" } },
	"has lost a capability": { startup: { kind: "no_tools" } },
	"asks the client": { startup: { kind: "asks_client" } },
	"cannot restore the session": { refuseBind: true },
};

verifies(
	["002-problem-statement-rollout-failed-start", "002-faults-class-rollout"],
	"S19: each kind of bad candidate leaves the incumbent serving, every call answered, nothing of it alive",
	async (t) => {
		const { client, host, log, command, mark } = await fixtureSession(
			t,
			{ release: "1" },
			{ rollouts: { warmUpMs: 700 }, graceMs: 300 },
		);
		client.onRequest = () => assert.fail("a candidate reached the client");
		contentOf(await client.call("bind", { key: "project" }));
		const incumbent = host.state().workerPid;
		for (const [name, config] of Object.entries(BAD_CANDIDATES)) {
			let rolling = true;
			const rollout = host.rollout(command({ release: name, ...config })).finally(() => {
				rolling = false;
			});
			while (rolling) contentOf(await client.call("pay", { key: `${name} ${log.lines().length}`, ms: 5 }));
			const outcome = await rollout;
			assert.ok(!outcome.ok, `${name} was activated`);
			assert.equal(outcome.fault.class, "rollout", name);
			assert.equal(contentOf(await client.call("read", { key: name })).pid, incumbent);
			const candidates = log.lines().filter(({ what, release }) => what === "started" && release === name);
			await until(() => candidates.every(({ pid }) => !mark.living().includes(pid)), `the end of what ${name}`);
		}
		assert.deepEqual(log.doubled("pay"), []);
		assert.equal(host.health().rollout, "stable");
		assert.equal(host.health().restartCount, 0);
		assert.equal(host.health().lastFault?.class, "rollout");
	},
	{ timeout: 120_000 },
);

verifies(
	"002-problem-statement-stable-host",
	"S22: bindings, subscriptions and the log level are there again before the first call, after a crash and an upgrade",
	async (t) => {
		const session = await fixtureSession(t, { release: "1" });
		const { client, host, log, command } = session;
		contentOf(await client.call("bind", { key: "a" }));
		contentOf(await client.call("bind", { key: "b" }));
		contentOf(await client.call("bind", { key: "a" }));
		assert.equal((await client.request("resources/subscribe", { uri: "fixture://a" })).error, undefined);
		assert.equal((await client.request("logging/setLevel", { level: "debug" })).error, undefined);
		const restored = async () => {
			const { bindings, subscriptions, logLevel } = contentOf(await client.call("whoami"));
			return { bindings, subscriptions, logLevel };
		};
		const expected = { bindings: ["b", "a"], subscriptions: ["fixture://a"], logLevel: "debug" };
		await killWorker(session);
		await until(() => !host.state().ready, "the loss to be noticed");
		assert.deepEqual(await restored(), expected, "after a crash");
		assert.ok((await host.rollout(command({ release: "2" }))).ok);
		assert.deepEqual(await restored(), expected, "after an upgrade");
		assert.equal(contentOf(await client.call("whoami")).release, "2");
		assert.equal(
			log.lines().filter(({ what, tool }) => what === "effect" && tool === "bind").length,
			2,
			"no effect outside is repeated",
		);
		await client.request("resources/unsubscribe", { uri: "fixture://a" });
		await killWorker(session);
		await until(() => !host.state().ready, "the loss to be noticed");
		assert.deepEqual((await restored()).subscriptions, []);
	},
	{ timeout: 120_000 },
);

verifies(
	"002-problem-statement-one-terminal-answer",
	"a question the worker asked the client is withdrawn when the worker dies, and asked anew by the next",
	async (t) => {
		const { client, log } = await fixtureSession(t);
		contentOf(await client.call("read", { key: "warm" }));
		let asked = 0;
		client.onRequest = (method) => {
			assert.equal(method, "roots/list");
			asked++;
			if (asked === 1) {
				const arrival = log.lines().find(({ what, tool }) => what === "arrived" && tool === "ask");
				process.kill(arrival?.pid ?? Number.NaN, "SIGKILL");
				return undefined;
			}
			return { roots: [{ uri: "file:///a" }] };
		};
		const answer = contentOf(await client.call("ask", { key: "roots" }));
		assert.match(JSON.stringify(answer.answer), /file:\/\/\/a/);
		assert.equal(asked, 2);
	},
	{ timeout: 120_000 },
);
