// S25: what a host tells of itself, with and without a worker.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { writePostmortem } from "../../src/telemetry/postmortem.ts";
import { contentOf, faultOf, fixtureSession, killWorker, temporary } from "./fixtureSession.ts";

verifies(
	["002-health-common-core", "002-telemetry-common-core", "002-health-last-fault"],
	"S25: health and telemetry are answered with no worker alive, in lines or as data",
	async (t) => {
		const broken = join(temporary(t), "broken");
		const session = await fixtureSession(
			t,
			{ brokenWhile: broken },
			{ restarts: { intensity: 1, coolDownMs: 60_000 } },
		);
		const { client, host } = session;
		assert.deepEqual((await client.call("holdfast_health")).result?.structuredContent !== undefined, true);
		contentOf(await client.call("read", { key: "warm" }));
		writeFileSync(broken, "");
		await killWorker(session);
		await until(() => host.state().breaker === "open", "the breaker to open");
		const health = await client.call("holdfast_health");
		const lines = JSON.stringify(health.result?.content);
		assert.match(lines, /failing/);
		const structured = contentOf(health);
		assert.equal(structured.state, "failing");
		assert.equal(typeof structured.generation, "number");
		assert.ok(structured.lastFault !== null);
		const json = await client.call("holdfast_health", { render: "json" });
		const [content] = Array.isArray(json.result?.content) ? json.result.content : [];
		assert.equal(JSON.parse(content.text).state, "failing");
		const refused = await client.call("holdfast_health", { render: "xml" });
		assert.match(JSON.stringify(refused.error ?? refused.result), /render/);
		const telemetry = contentOf(await client.call("holdfast_telemetry"));
		assert.match(JSON.stringify(telemetry.totals), /"successes":/);
		rmSync(broken);
	},
	{ timeout: 120_000 },
);

verifies(
	["002-telemetry-jsonl-postmortem", "002-telemetry-last-method-error", "002-telemetry-per-method"],
	"S25: what the file says afterwards is what the host counted, replays, restarts and rollout steps included",
	async (t) => {
		const telemetryDirectory = temporary(t);
		const session = await fixtureSession(t, {}, { telemetryDirectory, rollouts: { probationMs: 50 } });
		const { client, host, command } = session;
		contentOf(await client.call("read", { key: "secret-argument" }));
		contentOf(await client.call("read", { key: "again", fail: "after", times: 1 }));
		faultOf(await client.call("pay", { key: "p", fail: "after" }));
		await client.request("no/such/method");
		assert.ok((await host.rollout(command({ release: "2" }))).ok);
		await until(() => host.health().rollout === "stable", "the probation");
		const live = host.telemetry();
		const lines = readdirSync(telemetryDirectory).flatMap((name) =>
			readFileSync(join(telemetryDirectory, name), "utf8").split("\n"),
		);
		const found = writePostmortem(lines);
		assert.equal(found.badLines, 0);
		assert.deepEqual(found.telemetry.totals, live.totals);
		assert.deepEqual(
			found.telemetry.methods.map(({ method, requests, errors, retries }) => ({ method, requests, errors, retries })),
			live.methods.map(({ method, requests, errors, retries }) => ({ method, requests, errors, retries })),
		);
		assert.deepEqual(found.telemetry.faults, live.faults);
		assert.equal(found.restarts.length, 2);
		const steps = lines.filter((line) => line.includes('"rollout_step"')).map((line) => JSON.parse(line));
		assert.ok(steps.some(({ step }) => step === "switching"));
		assert.deepEqual([...new Set(steps.map(({ from }) => from))], [3], "each step names the generation it replaces");
		assert.ok(!lines.some((line) => line.includes("secret-argument")), "no argument is written down");
		assert.equal(live.lastMethodError?.method, "no/such/method");
		assert.ok(live.methods.some(({ lastError }) => lastError?.kind === "fault"));
	},
	{ timeout: 120_000 },
);

verifies(
	["002-problem-statement-one-terminal-answer", "002-telemetry-request-counts"],
	"a cancelled call gets no answer, counts as cancelled, and is found by its typed id or its text",
	async (t) => {
		const { client, host, log } = await fixtureSession(t);
		contentOf(await client.call("read", { key: "warm" }));
		void client.request("tools/call", { name: "pay", arguments: { key: "a", ms: 400 } }, 77);
		void client.request("tools/call", { name: "pay", arguments: { key: "b", ms: 400 } }, "78");
		await until(() => log.arrivals("pay", "b") === 1, "both to arrive");
		client.notify("notifications/cancelled", { requestId: 77 });
		client.notify("notifications/cancelled", { requestId: 78 });
		await until(() => host.telemetry().totals.cancelled === 2, "the cancellations");
		contentOf(await client.call("read", { key: "after", ms: 600 }));
		assert.deepEqual(client.waiting, [77, "78"], "nothing more comes for them");
		assert.equal(log.effects("pay", "a"), 0, "the worker was told");
		assert.equal(host.telemetry().totals.inFlight, 0);
	},
	{ timeout: 120_000 },
);
