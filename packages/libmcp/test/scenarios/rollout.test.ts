// S17, S18, S20, S21: upgrades under live calls.
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import type { RolloutStep } from "../../src/telemetry/healthBoard.ts";
import { applyLoad } from "../../src/testing/chaos.ts";
import type { Answer } from "../../src/testing/testClient.ts";
import { contentOf, ERAS, faultOf, fixtureSession, temporary } from "./fixtureSession.ts";
import { hostedProcess } from "./hostedProcess.ts";

// A few at once, since each mostly waits for workers to start, answer and end.
void describe("upgrades", { concurrency: 3 }, () => {
	for (const { era, modern } of ERAS) {
		verifies(
			["002-problem-statement-rollout-blue-green", "002-problem-statement-rollout-drain", "002-health-rollout-state"],
			`S17: ten upgrades under load fail no call, double none, and let long calls finish where they began (${era})`,
			async (t) => {
				const rollouts = { probationMs: 100 };
				const { client, host, log, command, ...session } = await fixtureSession(
					t,
					{ release: "0" },
					{ modern, rollouts },
				);
				contentOf(await client.call("read", { key: "warm" }));
				const steps: RolloutStep[] = [];
				host.events.on("rollout", (step) => steps.push(step));
				const upgrades = modern ? 4 : 10;
				let rolling = true;
				const rolled = (async () => {
					for (let release = 1; release <= upgrades; release++) {
						const long = client.call("pay", { key: `long${release}`, ms: 700 });
						await until(() => log.arrivals("pay", `long${release}`) === 1, "the long call to arrive");
						const outcome = await host.rollout(command({ release: String(release) }));
						assert.ok(outcome.ok, JSON.stringify(outcome));
						assert.deepEqual(outcome.changed, []);
						assert.equal(contentOf(await long).release, String(release - 1), "it stays on its own generation");
						await until(() => host.health().rollout === "stable", "the probation");
					}
				})().finally(() => {
					rolling = false;
				});
				let n = 0;
				const answers: Answer[] = [];
				while (rolling) {
					const run = () => client.call(n % 2 === 0 ? "read" : "pay", { key: `k${n++}`, ms: n % 7 });
					answers.push(...(await applyLoad({ calls: 60, inFlight: 20, perSecond: 300, run })));
				}
				await rolled;
				for (const answer of answers) contentOf(answer);
				assert.deepEqual(log.doubled("pay"), []);
				const served = new Set(
					log
						.lines()
						.filter(({ what }) => what === "arrived")
						.map(({ release }) => release),
				);
				assert.ok(served.size > upgrades, `releases that served: ${[...served].join(" ")}`);
				assert.deepEqual(
					client.notifications.filter(({ method }) => method.includes("list_changed")),
					[],
				);
				assert.equal(host.health().restartCount, 0);
				assert.deepEqual(steps.slice(0, 7), [
					"starting",
					"handshake",
					"comparing",
					"waiting",
					"switching",
					"probation",
					"stable",
				]);
				await until(
					() => session.mark.living().filter((pid) => log.lines().some((line) => line.pid === pid)).length === 1,
					"blue to end",
				);
			},
			{ timeout: 120_000 },
		);
	}

	verifies(
		"002-problem-statement-rollout-list-changed",
		"S18: a tool on the second page is announced once and listed, and the same catalogue is silent",
		async (t) => {
			const { client, host, command } = await fixtureSession(t, {}, { opsTools: false });
			const changes = () =>
				client.notifications.filter(({ method }) => method === "notifications/tools/list_changed").length;
			contentOf(await client.call("read", { key: "warm" }));
			const same = await host.rollout(command({ release: "2" }));
			assert.deepEqual(same.ok && same.changed, []);
			const more = await host.rollout(command({ release: "3", moreTools: ["extra"] }));
			assert.deepEqual(more.ok && more.changed, ["tools"]);
			await until(() => changes() === 1, "list_changed");
			const first = await client.request("tools/list");
			assert.equal(first.result?.nextCursor, "2");
			const second = await client.request("tools/list", { cursor: "2" });
			assert.match(JSON.stringify(second.result), /"extra"/);
			assert.equal(contentOf(await client.call("extra", { key: "x" })).release, "3");
			await delay(300);
			assert.equal(changes(), 1);
		},
		{ timeout: 120_000 },
	);

	test("S18: the promise of list_changed is made at initialize, whatever the server promised", {
		timeout: 120_000,
	}, async (t) => {
		const { client } = await fixtureSession(t);
		const again = await client.request("initialize", {
			protocolVersion: "2025-11-25",
			capabilities: {},
			clientInfo: { name: "x", version: "1" },
		});
		assert.match(JSON.stringify(again.result?.capabilities), /"tools":\{[^}]*"listChanged":true/);
	});

	verifies(
		"002-problem-statement-rollout-stuck-drain",
		"S21: a journaled call in flight delays the switch; past the deadline the rollout is given up, never the call",
		async (t) => {
			const { client, host, log, command } = await fixtureSession(
				t,
				{ release: "1" },
				{ rollouts: { switchMs: 2_000, probationMs: 100 } },
			);
			contentOf(await client.call("read", { key: "warm" }));
			const started = once(host.events, "rollout");
			const rolling = host.rollout(command({ release: "2" }));
			await started;
			// Longer than green's warm-up and the deadline together.
			const stuck = client.call("bind", { key: "project", ms: 6_000 });
			const outcome = await rolling;
			assert.ok(!outcome.ok);
			assert.deepEqual(
				{ class: outcome.fault.class, code: outcome.fault.code },
				{ class: "rollout", code: "switch_deadline" },
			);
			const during = contentOf(await client.call("read", { key: "during" }));
			assert.equal(during.release, "1");
			assert.equal(contentOf(await stuck).release, "1");
			assert.equal(log.arrivals("bind", "project"), 1);

			const short = client.call("bind", { key: "project", ms: 250 });
			await until(() => log.arrivals("bind", "project") === 2, "the short one to arrive");
			const delayed = await host.rollout(command({ release: "2" }));
			assert.ok(delayed.ok, "a short one only delays it");
			contentOf(await short);
			const who = contentOf(await client.call("whoami"));
			assert.equal(who.release, "2");
			assert.deepEqual(who.bindings, ["project"]);
		},
		{ timeout: 120_000 },
	);

	test("an endless payment holds up nobody: new calls go to green, it ends on blue by its own deadline", {
		timeout: 120_000,
	}, async (t) => {
		const options = { deadlines: { hardMs: 6_000 }, rollouts: { probationMs: 100 } };
		const { client, host, log, command } = await fixtureSession(t, { release: "1" }, options);
		contentOf(await client.call("read", { key: "warm" }));
		const endless = client.call("pay", { key: "endless", fail: "mute" });
		await until(() => log.arrivals("pay", "endless") === 1, "the payment to arrive");
		assert.ok((await host.rollout(command({ release: "2" }))).ok);
		assert.equal(contentOf(await client.call("read", { key: "new" })).release, "2");
		const fault = faultOf(await endless);
		assert.deepEqual({ class: fault.class, retry: fault.retry }, { class: "timeout", retry: "unsafe" });
		assert.equal(log.arrivals("pay", "endless"), 1);
	});

	test("a rollout that nobody waits for says why it was refused, and that it was taken back", {
		skip: process.platform === "win32" && "there is no SIGUSR2",
	}, async (t) => {
		const file = join(temporary(t), "server.cjs");
		const release = (capabilities: object, onCall: string): void =>
			writeFileSync(
				file,
				`const capabilities = ${JSON.stringify(capabilities)}; const onCall = () => { ${onCall} };${TOLD}`,
			);
		release({ tools: {}, logging: {} }, "");
		const { child, client, stderr } = await hostedProcess(
			t,
			{},
			{ command: process.execPath, args: [file], rollouts: { crashLimit: 2 } },
		);
		const told = (line: string): Promise<void> => until(() => stderr().includes(`[fixture] ${line}\n`), line);
		release({ tools: {} }, "");
		child.kill("SIGUSR2");
		await told("no rollout: the new release was not switched to: capability logging is gone");
		release({ tools: {}, logging: {}, prompts: {} }, "process.exit(3)");
		child.kill("SIGUSR2");
		while (!JSON.stringify(await client.call("holdfast_health")).includes("generation 3")) await delay(20);
		await client.call("any");
		await client.call("any");
		await told("no rollout: the new release failed 2 times (exit code 3); back to the one before");
	});
});

verifies(
	["002-problem-statement-rollout-rollback", "002-faults-class-rollout"],
	"S20: a release that crashes again and again after the switch is given up for the living one before it",
	async (t) => {
		const rollouts = { probationMs: 20_000, crashLimit: 3 };
		const { client, host, log, command } = await fixtureSession(t, { release: "1" }, { rollouts });
		contentOf(await client.call("read", { key: "warm" }));
		const blue = host.state().workerPid;
		const bad = command({ release: "2", exitAfterMs: 500 });
		assert.ok((await host.rollout(bad)).ok);
		await until(() => host.telemetry().faults["rollout.rolled_back"] === 1, "the rollback");
		await until(() => host.state().ready, "blue to serve");
		const answer = contentOf(await client.call("read", { key: "back" }));
		assert.equal(answer.release, "1");
		assert.equal(answer.pid, blue, "the same living worker");
		assert.equal(log.lines().filter(({ what, release }) => what === "started" && release === "2").length, 3);
		const again = await host.rollout(bad);
		assert.ok(!again.ok);
		assert.equal(again.fault.code, "release_quarantined");
		assert.equal(host.health().quarantined, 1);
		assert.ok((await host.rollout(command({ release: "3" }))).ok, "a mended release may come");
	},
	{ timeout: 120_000 },
);

/** A server of whatever capabilities, which does as told when it is called. */
const TOLD = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: "told", version: "1" } } });
	else if (method === "tools/list") send({ id, result: { tools: [] } });
	else if (method === "tools/call") onCall();
	else if (id !== undefined) send({ id, result: {} });
}).on("close", () => process.exit());`;
