import assert from "node:assert/strict";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "../../../../e2e/temporaryFolder.ts";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { Bench, FIXTURE_COMMAND, faultOf, textOf } from "../host/harness.ts";

const release = (env: Record<string, string>) => ({ ...FIXTURE_COMMAND, env });

// A few at once, since each mostly waits for workers to start, answer and end.
void describe("rollouts", { concurrency: 4 }, () => {
	verifies(
		["002-problem-statement-rollout-blue-green", "002-problem-statement-rollout-drain"],
		"new calls go to green while blue finishes its own, and blue is ended when they and the probation are over",
		async (t) => {
			const folder = temporaryFolder(t);
			const held = join(folder, "held");
			writeFileSync(held, "");
			const bench = await Bench.initialized(t, { rollouts: { probationMs: 60_000 } }, { HELD_WHILE: held });
			const blue = bench.host.state().workerPid;
			const long = bench.tool("pay", { key: "long" });
			await until(() => bench.effects("pay").length === 1, "the long call is in flight");
			await bench.rollOut(release({ RELEASE: "2" }));
			assert.equal(textOf(await bench.tool("read", { do: "release" })), "2");
			assert.equal(bench.host.health().rollout, "probation");
			// Another release ends the probation, and with it what keeps blue apart from its call.
			await bench.rollOut(release({ RELEASE: "3" }));
			assert.equal(textOf(await bench.tool("read", { do: "release" })), "3");
			assert.equal(bench.received.filter(({ error }) => error !== undefined).length, 0);
			rmSync(held);
			assert.equal(textOf(await long), String(blue));
			assert.equal(bench.effects("pay").length, 1);
			await until(() => isGone(blue), "blue is gone");
		},
	);

	verifies(
		"002-problem-statement-rollout-list-changed",
		"a changed catalogue is announced once, an equal one not",
		async (t) => {
			const bench = await Bench.initialized(t, { rollouts: { probationMs: 50 } });
			const same = await bench.host.rollout();
			assert.deepEqual(same.ok && same.changed, []);
			assert.equal(bench.notifications("notifications/tools/list_changed").length, 0);
			const other = await bench.host.rollout(release({ RELEASE: "2" }));
			assert.deepEqual(other.ok && other.changed, ["tools"]);
			await bench.tool("read");
			assert.equal(bench.notifications("notifications/tools/list_changed").length, 1);
			assert.equal(bench.notifications("notifications/resources/list_changed").length, 0);
		},
	);

	for (const [mode, code, detail] of [
		[
			"die-at-start",
			/^green_worker_(exited|crashed)$/,
			/: initialize: the worker ended before it answered \(exit code 9\)$/,
		],
		["bad-version", /^green_version_changed$/, /: protocolVersion: expected 2025-11-25, got /],
		["no-handshake", /^green_no_private_answer$/, /: initialize: no answer in \d+ ms$/],
		["no-tools", /^green_bad_catalogue$/, /: tools\/list was refused: cannot reach the database$/],
		["no-second-page", /^green_bad_catalogue$/, /: tools\/list was refused: cannot reach the database$/],
	] as const) {
		verifies(
			["002-problem-statement-rollout-failed-start", "002-faults-class-rollout"],
			`a candidate in mode ${mode} leaves blue serving as if nothing had happened`,
			async (t) => {
				const bench = await Bench.initialized(t, { rollouts: { warmUpMs: mode === "no-handshake" ? 1_000 : 15_000 } });
				const blue = bench.host.state().workerPid;
				const told: string[] = [];
				bench.host.events.on("fault", (fault) => told.push(fault.code));
				const calls = Array.from({ length: 10 }, () => bench.tool("pay", { ms: 100 }));
				const outcome = await bench.host.rollout(release({ MODE: mode }));
				assert.equal(outcome.ok, false);
				if (!outcome.ok) {
					assert.equal(outcome.fault.class, "rollout");
					assert.match(outcome.fault.code, code);
					assert.match(outcome.fault.detail, detail);
				}
				for (const answer of await Promise.all(calls)) assert.equal(textOf(answer), String(blue));
				assert.equal(textOf(await bench.tool("read")), String(blue));
				assert.equal(bench.host.health().rollout, "stable");
				assert.equal(bench.host.health().restartCount, 0);
				assert.equal(told.length, 1, "its end is not told as that of a serving worker");
				assert.match(told[0] ?? "", code);
			},
		);
	}

	test("a candidate that cannot start is reported with its own last words, which only the operator gets", async (t) => {
		const bench = await Bench.initialized(t);
		const outcome = await bench.host.rollout({ command: process.execPath, args: ["/no/such.mjs"] });
		assert.match(
			outcome.ok ? "" : outcome.fault.detail,
			/: initialize: the worker ended before it answered \(exit code 1\); it said: Error: Cannot find module '\/no\/such\.mjs'$/,
		);
		assert.doesNotMatch(bench.host.health().lastFault?.detail ?? "", /it said/);
		const missing = await bench.host.rollout({ command: "nosuchcmd" });
		assert.match(missing.ok ? "" : missing.fault.detail, /: the command nosuchcmd was not found$/);
	});

	test("a server that refuses to list its tools can be replaced by one that lists them, which the client is told", async (t) => {
		const bench = await Bench.initialized(t, {}, { MODE: "no-tools" });
		await until(() => bench.host.health().lastFault?.code === "bad_catalogue", "the refusal is noticed");
		const outcome = await bench.host.rollout(release({ MODE: "" }));
		assert.deepEqual(outcome.ok && outcome.changed, ["tools"]);
	});

	test("a restart on request during its probation is no death of the new release", async (t) => {
		const bench = await Bench.initialized(t, { rollouts: { crashLimit: 1 } });
		await bench.rollOut(release({ RELEASE: "2" }));
		await bench.host.restart();
		assert.equal(textOf(await bench.tool("read", { do: "release" })), "2");
		assert.equal(bench.host.health().rollout, "probation");
	});

	test("a failed upgrade does not end the probation of the release before", async (t) => {
		const bench = await Bench.initialized(t, { rollouts: { crashLimit: 1 } });
		await bench.rollOut(release({ RELEASE: "2" }));
		assert.equal((await bench.host.rollout(release({ MODE: "die-at-start" }))).ok, false);
		assert.equal(bench.host.health().rollout, "probation");
		bench.killWorker();
		await until(() => bench.host.health().rollout === "stable", "the first release serves again");
		assert.equal(textOf(await bench.tool("read", { do: "release" })), "1");
	});

	test("session state is told to green before the switch, also what came up during the warm-up", async (t) => {
		const bench = await Bench.initialized(t);
		await bench.request("logging/setLevel", { level: "warning" });
		await bench.tool("bind", { key: "project", n: 1 });
		const rolling = bench.host.rollout(release({ RELEASE: "2" }));
		await bench.tool("bind", { key: "late", n: 2 });
		assert.equal((await rolling).ok, true);
		assert.deepEqual(JSON.parse(textOf(await bench.tool("read", { do: "memory" }))), [
			["project", "1"],
			["late", "2"],
			["level", "warning"],
		]);
	});

	verifies(
		"002-problem-statement-rollout-stuck-drain",
		"a journaled call in flight delays the switch, and past the deadline the rollout is given up, not the call",
		async (t) => {
			const bench = await Bench.initialized(t, { rollouts: { switchMs: 400 } });
			const blue = bench.host.state().workerPid;
			const stuck = bench.tool("bind", { key: "k", n: 1, ms: 4_000 });
			await until(() => bench.effects("bind").length === 1, "the journaled call is in flight");
			const outcome = await bench.host.rollout(release({ RELEASE: "2" }));
			assert.equal(outcome.ok, false);
			if (!outcome.ok) assert.equal(outcome.fault.code, "switch_deadline");
			assert.equal(textOf(await bench.tool("read")), String(blue));
			assert.equal(textOf(await stuck), String(blue));
			const second = bench.tool("bind", { key: "k", n: 2, ms: 200 });
			await until(() => bench.effects("bind").length === 2, "a short one is in flight");
			await bench.rollOut(release({ RELEASE: "2" }));
			assert.equal(textOf(await second), String(blue));
			assert.deepEqual(JSON.parse(textOf(await bench.tool("read", { do: "memory" })))[0], ["k", "2"]);
		},
	);

	verifies(
		"002-problem-statement-rollout-rollback",
		"a release that keeps ending soon after the switch is given up for the living blue and quarantined",
		async (t) => {
			const bench = await Bench.initialized(t, { rollouts: { crashLimit: 3 } });
			const { workerPid: blue, generation } = bench.host.state();
			const bad = release({ RELEASE: "2" });
			await bench.rollOut(bad);
			assert.equal(bench.host.health().generation, generation + 1);
			await bench.tool("bind", { key: "since", n: 7 });
			for (let crash = 1; crash <= 3; crash++) {
				const pid = bench.host.state().workerPid;
				bench.killWorker();
				await until(() => bench.host.state().ready && bench.host.state().workerPid !== pid, `crash ${crash} is over`);
			}
			assert.equal(bench.host.state().workerPid, blue);
			assert.equal(bench.host.health().generation, generation);
			assert.equal(textOf(await bench.tool("read", { do: "release" })), "1");
			assert.deepEqual(JSON.parse(textOf(await bench.tool("read", { do: "memory" })))[0], ["since", "7"]);
			assert.equal(bench.host.telemetry().faults["rollout.rolled_back"], 1);
			assert.equal(bench.host.health().quarantined, 1);
			const again = await bench.host.rollout(bad);
			assert.equal(again.ok, false);
			if (!again.ok) assert.equal(again.fault.code, "release_quarantined");
			assert.equal(
				(await bench.host.rollout(bad)).ok,
				true,
				"who asks once more has repaired what the host cannot see",
			);
			assert.equal(bench.host.health().quarantined, 0);
		},
	);

	test("a release that can no longer be started during its probation is rolled back, and the one before answers", async (t) => {
		const folder = temporaryFolder(t);
		const program = join(folder, "node");
		symlinkSync(process.execPath, program);
		const bench = await Bench.initialized(t, { rollouts: { crashLimit: 3 } });
		const blue = bench.host.state().workerPid;
		const next = { ...FIXTURE_COMMAND, command: program, env: { RELEASE: "2" } };
		await bench.rollOut(next);
		rmSync(program);
		bench.killWorker();
		await until(() => bench.host.health().rollout === "stable", "the first release serves again");
		assert.equal(textOf(await bench.tool("read")), String(blue));
		const { lastFault, quarantined } = bench.host.health();
		assert.match(
			lastFault?.detail ?? "",
			/^the new release failed 3 times \(the command .*node was not found\); back to/,
		);
		assert.equal(quarantined, 1);
	});

	test("a worker that hung in reserve is not gone back to, and a fresh one of its release answers", async (t) => {
		const bench = await Bench.initialized(t, { rollouts: { crashLimit: 1 } });
		const blue = bench.host.state().workerPid ?? assert.fail("no worker");
		await bench.rollOut(release({ RELEASE: "2" }));
		process.kill(blue, "SIGSTOP");
		bench.killWorker();
		assert.equal(textOf(await bench.tool("read", { do: "release" })), "1");
		assert.notEqual(bench.host.state().workerPid, blue);
		await until(() => isGone(blue), "the hung worker is gone");
	});

	test("a release that was repaired before it was rolled back may come at once", async (t) => {
		const folder = temporaryFolder(t);
		const file = join(folder, "server");
		writeFileSync(file, "broken");
		const bench = await Bench.initialized(t, { rollouts: { crashLimit: 1 } });
		const next = { ...FIXTURE_COMMAND, args: [...FIXTURE_COMMAND.args, file], env: { RELEASE: "2" } };
		await bench.rollOut(next);
		writeFileSync(file, "repaired it");
		bench.killWorker();
		await until(() => bench.host.health().rollout === "stable", "the first release serves again");
		await bench.rollOut(next);
	});

	test("a watched file that repairs a release is rolled out, though the command does not name it", async (t) => {
		const folder = temporaryFolder(t);
		const deadly = join(folder, "deadly");
		const bench = await Bench.initialized(t, { watch: [folder], rollouts: { crashLimit: 2 } }, { DEADLY_IF: deadly });
		const blue = bench.host.state().workerPid;
		const steps: string[] = [];
		bench.host.events.on("rollout", (step) => steps.push(step));
		// The watch is attached in its own time; a change before that would go unseen.
		await new Promise((resolve) => setTimeout(resolve, 300));
		writeFileSync(deadly, "");
		await until(() => steps.includes("probation"), "the broken release serves");
		assert.equal(textOf(await bench.tool("read")), String(blue));
		await until(() => steps.at(-1) === "stable", "it is rolled back");
		rmSync(deadly);
		await until(() => steps.at(-1) === "probation", "the repaired release serves");
		assert.notEqual(textOf(await bench.tool("read")), String(blue));
	});

	for (const sequential of [false, true]) {
		const mode = sequential ? "in sequential mode" : "with one call at a time";
		test(`a release that dies of every safe call is rolled back ${mode}, and the one before answers`, async (t) => {
			const bench = await Bench.initialized(t, { sequential, rollouts: { crashLimit: 3 } });
			const blue = bench.host.state().workerPid;
			await bench.rollOut(release({ MODE: "die-of-calls" }));
			assert.equal(textOf(await bench.tool("read", { key: "first" })), String(blue));
			assert.equal(textOf(await bench.tool("read", { key: "second" })), String(blue));
			assert.deepEqual(
				bench.effects("read").map((line) => line.split(" ")[1]),
				["first", "first", "first", "second"],
			);
			assert.equal(bench.host.telemetry().faults["rollout.rolled_back"], 1);
		});
	}

	test("a call that kills the new release and then the one before is not tried a second time there", async (t) => {
		const bench = await Bench.initialized(t, { rollouts: { crashLimit: 2 } });
		await bench.rollOut(release({ RELEASE: "2" }));
		const answer = await bench.tool("read", { do: "die" });
		assert.equal(faultOf(answer).code, "replay_exhausted");
		assert.match(String(faultOf(answer).detail), /^tools\/call read was tried 3 times and each worker ended/);
		assert.equal(bench.effects("read").length, 3);
		assert.match(textOf(await bench.tool("read")), /^\d+$/);
	});

	test("a release that was rolled back for a call of which the one before dies too may be rolled out again", async (t) => {
		const bench = await Bench.initialized(t);
		const told: string[] = [];
		bench.host.events.on("fault", ({ code, detail }) => code === "rolled_back" && told.push(detail));
		const next = release({ RELEASE: "2" });
		await bench.rollOut(next);
		assert.equal(faultOf(await bench.tool("read", { do: "die" })).code, "replay_exhausted");
		assert.equal(bench.host.health().quarantined, 0);
		assert.match(told[0] ?? "", /; back to the one before$/);
		assert.deepEqual(told.slice(1), [
			"the release before died of tools/call read too, so the new one may be rolled out again",
		]);
		await bench.rollOut(next);
		assert.equal(textOf(await bench.tool("read", { do: "release" })), "2");
	});

	verifies(
		"002-faults-class-rollout",
		"a call the new release keeps failing is told that the rollout took it, when the release before is gone",
		async (t) => {
			const bench = await Bench.initialized(t, { rollouts: { crashLimit: 3 } });
			const blue = bench.host.state().workerPid;
			await bench.rollOut(release({ RELEASE: "2" }));
			if (blue !== undefined) process.kill(blue, "SIGKILL");
			await until(() => isGone(blue), "blue is gone");
			const answer = await bench.tool("read", { do: "die" });
			assert.equal(faultOf(answer).code, "lost_in_rollout");
			assert.equal(faultOf(answer).class, "rollout");
			assert.equal(faultOf(answer).retry, "later");
			assert.equal(bench.effects("read").length, 2);
		},
	);

	verifies("002-health-rollout-state", "one rollout at a time, and health shows each step", async (t) => {
		const bench = await Bench.initialized(t, { rollouts: { probationMs: 100 } });
		const steps: string[] = [];
		bench.host.events.on("rollout", () => steps.push(bench.host.health().rollout));
		const first = bench.host.rollout();
		const second = await bench.host.rollout();
		assert.equal(second.ok, false);
		if (!second.ok) assert.equal(second.fault.code, "rollout_in_progress");
		assert.equal((await first).ok, true);
		await until(() => steps.at(-1) === "stable", "the probation is over");
		assert.deepEqual(steps, ["starting", "handshake", "comparing", "waiting", "switching", "probation", "stable"]);
	});

	test("a session that changes while a release is compared is restored before the switch", async (t) => {
		const bench = await Bench.initialized(t, { rollouts: { probationMs: 100 } });
		const steps: string[] = [];
		bench.host.events.on("rollout", (step) => {
			steps.push(step);
			if (step === "comparing") void bench.tool("bind", { key: "k", n: 1 });
		});
		await bench.rollOut();
		assert.deepEqual(steps.slice(0, steps.indexOf("switching")).slice(-3), ["waiting", "restoring", "waiting"]);
	});

	test("a tool that green announces while the switch waits for a call is told to the client", async (t) => {
		const folder = temporaryFolder(t);
		const [held, early] = [join(folder, "held"), join(folder, "early")];
		writeFileSync(held, "");
		writeFileSync(early, "");
		const bench = await Bench.initialized(t, {}, { HELD_WHILE: held });
		const binding = bench.tool("bind", { key: "k", n: 1 });
		const rolling = bench.host.rollout(release({ HELD_WHILE: "", LATE_TOOL_AFTER: early }));
		bench.host.events.on("rollout", (step) => step === "waiting" && rmSync(early, { force: true }));
		await until(() => bench.effects("late").length === 1, "green has another tool");
		rmSync(held);
		await binding;
		assert.equal((await rolling).ok, true);
		await until(() => bench.notifications("notifications/tools/list_changed").length === 1, "the client is told");
	});

	for (const [step, when] of [
		["starting", "before the rollout and opens during it"],
		["handshake", "during the rollout"],
	] as const) {
		test(`a session that begins ${when} is begun with green too`, async (t) => {
			const held = join(temporaryFolder(t), "held");
			writeFileSync(held, "");
			const bench = new Bench(t, {}, { STRICT: "yes", HANDSHAKE_HELD_WHILE: held });
			await until(() => bench.host.state().ready, "blue serves");
			let opening: Promise<unknown> | undefined;
			bench.host.events.on("rollout", (now) => {
				if (now === step) opening ??= bench.initialize();
				if (now === "waiting") rmSync(held, { force: true });
			});
			await bench.rollOut(release({ RELEASE: "2", HANDSHAKE_HELD_WHILE: "" }));
			await opening;
			assert.equal(textOf(await bench.tool("read", { do: "release" })), "2");
		});
	}

	test("a session that begins only with the new release is begun with the one before when that serves again", async (t) => {
		const bench = new Bench(t, { rollouts: { crashLimit: 1 } }, { STRICT: "yes" });
		await until(() => bench.host.state().ready, "blue serves");
		await bench.rollOut(release({ MODE: "die-of-calls" }));
		await bench.initialize();
		assert.equal(textOf(await bench.tool("read", { do: "release" })), "1");
	});

	for (const begun of ["before", "during"] as const) {
		test(`a rollout that is begun ${begun} a rollback switches only after it, and can itself be rolled back`, async (t) => {
			const folder = temporaryFolder(t);
			const held = join(folder, "held");
			const bench = await Bench.initialized(t, { rollouts: { crashLimit: 1 } }, { HELD_WHILE: held });
			const steps: string[] = [];
			bench.host.events.on("rollout", (step) => steps.push(step));
			await bench.rollOut(release({ RELEASE: "2", HELD_WHILE: "" }));
			await bench.tool("bind", { key: "since", n: 7 });
			writeFileSync(held, "");
			const third = release({ RELEASE: "3", HELD_WHILE: "" });
			let late: Promise<unknown> = Promise.resolve();
			let rolling: ReturnType<typeof bench.host.rollout> | undefined;
			if (begun === "before") {
				late = bench.tool("bind", { key: "late", n: 8, ms: 4_000 });
				await until(() => bench.effects("bind").length === 2, "a call that the switch waits for is in flight");
				rolling = bench.host.rollout(third);
				await until(() => steps.at(-1) === "waiting", "the third release is warm");
			}
			steps.length = 0;
			bench.killWorker();
			await until(() => steps.includes("rolling_back"), "the first release is being brought up to date");
			rolling ??= bench.host.rollout(third);
			if (begun === "during") await until(() => steps.includes("waiting"), "the third release is warm");
			rmSync(held);
			assert.equal((await rolling).ok, true);
			await late;
			const turns = steps.filter((step) => step === "stable" || step === "switching");
			assert.deepEqual(turns, ["stable", "switching"]);
			assert.equal(textOf(await bench.tool("read", { do: "release" })), "3");
			bench.killWorker();
			await until(() => steps.lastIndexOf("stable") > steps.lastIndexOf("rolling_back"), "the third is rolled back");
			assert.equal(textOf(await bench.tool("read", { do: "release" })), "1");
		});
	}

	test("a rollout that waited in vain for a rollback says so", async (t) => {
		const folder = temporaryFolder(t);
		const held = join(folder, "held");
		const bench = await Bench.initialized(t, { rollouts: { crashLimit: 1, switchMs: 100 } }, { HELD_WHILE: held });
		await bench.rollOut(release({ RELEASE: "2", HELD_WHILE: "" }));
		await bench.tool("bind", { key: "since", n: 7 });
		writeFileSync(held, "");
		bench.killWorker();
		await until(() => bench.host.health().rollout === "rolling_back", "the first release is being brought up to date");
		const outcome = await bench.host.rollout(release({ RELEASE: "3", HELD_WHILE: "" }));
		rmSync(held);
		assert.equal(outcome.ok ? "" : outcome.fault.code, "switch_deadline");
		assert.equal(
			outcome.ok ? "" : outcome.fault.detail,
			"the release before was still being brought up to date after 100 ms",
		);
		assert.equal(textOf(await bench.tool("read", { do: "release" })), "1");
	});

	test("a rollout that fails leaves the probation of the one before in force", async (t) => {
		const bench = await Bench.initialized(t, { rollouts: { crashLimit: 2 } });
		const blue = bench.host.state().workerPid;
		await bench.rollOut(release({ RELEASE: "2" }));
		assert.equal((await bench.host.rollout(release({ MODE: "die-at-start" }))).ok, false);
		for (let crash = 1; crash <= 2; crash++) {
			const pid = bench.host.state().workerPid;
			bench.killWorker();
			await until(() => bench.host.state().ready && bench.host.state().workerPid !== pid, `crash ${crash} is over`);
		}
		assert.equal(bench.host.state().workerPid, blue);
	});

	test("files that change while a rollout is under way are rolled out after it", async (t) => {
		const folder = temporaryFolder(t);
		const file = join(folder, "built");
		writeFileSync(file, "1");
		const bench = await Bench.initialized(t, { watch: [file], rollouts: { probationMs: 50 } });
		const switched: number[] = [];
		bench.host.events.on("rollout", (step, generation) => {
			if (step === "switching") switched.push(generation);
			// The build goes on: this burst ends while the first rollout waits for the call below.
			if (step === "waiting" && switched.length === 0) writeFileSync(file, "3");
		});
		const busy = bench.tool("bind", { key: "k", n: 1, ms: 1_500 });
		writeFileSync(file, "2");
		await busy;
		await until(() => switched.length === 2, "both changes are rolled out");
	});

	test("a rollout that a signal asks for during the operator's comes after it", {
		skip: process.platform === "win32",
	}, async (t) => {
		const bench = new Bench(t, { signals: true, rollouts: { probationMs: 50 } });
		// A signal to the whole process would have Node write a report too.
		const signal = process.listeners("SIGUSR2").at(-1);
		await bench.initialize();
		const switched: number[] = [];
		bench.host.events.on("rollout", (step, generation) => {
			if (step === "switching") switched.push(generation);
			if (step === "handshake" && switched.length === 0) signal?.("SIGUSR2");
		});
		const outcome = await bench.host.rollout();
		assert.ok(outcome.ok, JSON.stringify(outcome));
		await until(() => switched.length === 2, "both are rolled out");
	});

	test("a rollout that the end of the session cuts short is not laid to the new release", async (t) => {
		const bench = await Bench.initialized(t);
		const rolling = bench.host.rollout(release({ MODE: "no-handshake" }));
		await until(() => bench.host.health().rollout === "handshake", "the new release is warming up");
		await bench.close();
		const outcome = await rolling;
		assert.equal(outcome.ok ? "switched" : outcome.fault.code, "host_closing");
		const counted = Object.keys(bench.host.telemetry().faults);
		assert.deepEqual(
			counted.filter((code) => code.startsWith("rollout.")),
			[],
		);
	});

	test("a server whose whole program is an argument can be rolled out", async (t) => {
		const program = `${" ".repeat(5_000)}process.stdin.resume();`;
		const bench = new Bench(t, { command: process.execPath, args: ["-e", program] });
		await bench.rollOut();
	});

	test("a call in doubt whose tool nobody knew is not decided by what green says of the tool", async (t) => {
		const bench = new Bench(t, { command: process.execPath, args: ["-e", SILENT_LISTS] });
		await bench.request("initialize", { protocolVersion: "2025-11-25" });
		bench.notify("notifications/initialized");
		const call = bench.tool("read");
		await until(() => bench.host.state().inFlight === 1, "the call is in flight");
		const rolling = bench.host.rollout(release({ RELEASE: "2" }));
		await until(() => bench.host.health().rollout === "waiting", "green is warm");
		// Its successor is as silent as it was, so green is the first to say what the tool does.
		bench.killWorker();
		assert.equal((await rolling).ok, true);
		assert.equal(faultOf(await call).code, "outcome_unknown");
		assert.deepEqual(bench.effects("read"), []);
	});

	verifies(
		["002-replay-explicit-contract", "002-replay-process-policy-no-grant"],
		"a list that blue answers after the switch reaches the client and changes nothing in what green declares",
		async (t) => {
			const folder = temporaryFolder(t);
			const held = join(folder, "held");
			const bench = await Bench.initialized(t, {}, { PAY: "idempotent", LISTS_HELD_WHILE: held });
			writeFileSync(held, "");
			const late = bench.request("tools/list");
			await until(() => bench.host.state().inFlight === 1, "the list is asked for");
			await bench.rollOut(release({ PAY: "", LISTS_HELD_WHILE: "" }));
			rmSync(held);
			assert.match(JSON.stringify((await late).result), /idempotentHint/);
			assert.equal(faultOf(await bench.tool("pay", { do: "die" })).code, "outcome_unknown");
			assert.equal(bench.effects("pay").length, 1);
		},
	);

	verifies(
		"002-replay-process-policy-no-grant",
		"after a rollback, the promises of the release before count again, even before its lists are read",
		async (t) => {
			const folder = temporaryFolder(t);
			const held = join(folder, "held");
			const bench = await Bench.initialized(t, { rollouts: { crashLimit: 1 } }, { LISTS_HELD_WHILE: held });
			const blue = bench.host.state().workerPid;
			const green = release({ PAY: "idempotent", LISTS_HELD_WHILE: "" });
			await bench.rollOut(green);
			writeFileSync(held, "");
			bench.killWorker();
			await until(() => bench.host.state().workerPid === blue, "the release before serves again");
			assert.equal(faultOf(await bench.tool("pay", { do: "die" })).code, "outcome_unknown");
			assert.equal(bench.effects("pay").length, 1);
		},
	);

	test("a changed contract file counts from the next rollout on, and goes with its release when that is rolled back", async (t) => {
		const folder = temporaryFolder(t);
		const contract = join(folder, "contract.json");
		const declare = (recovery: string) => writeFileSync(contract, JSON.stringify({ tools: { pay: { recovery } } }));
		declare("replay_safe");
		const bench = await Bench.initialized(t, { contract, rollouts: { crashLimit: 1 } });
		const paid = async () => {
			const call = bench.tool("pay", { ms: 400 });
			const before = bench.effects("pay").length;
			await until(() => bench.effects("pay").length > before, "the payment has begun");
			bench.killWorker();
			return faultOf(await call).code ?? "paid";
		};
		assert.equal(await paid(), "paid");
		declare("at_most_once");
		await bench.rollOut();
		assert.equal(await paid(), "outcome_unknown");
		assert.equal(bench.host.health().lastFault?.code, "rolled_back");
		await until(() => bench.host.health().rollout === "stable", "the release before serves again");
		assert.equal(await paid(), "paid");
	});

	for (const [whose, declared, env] of [
		["its contract file", { recovery: "at_most_once" }, {}],
		["its own list", undefined, { BIND: "undeclared" }],
	] as const) {
		test(`a journaled call is not repeated on a release that no longer allows it by ${whose}, and health says so`, async (t) => {
			const folder = temporaryFolder(t);
			const contract = join(folder, "contract.json");
			writeFileSync(contract, '{"tools":{}}');
			const bench = await Bench.initialized(t, { contract });
			await bench.tool("bind", { key: "a", n: 1 });
			writeFileSync(contract, JSON.stringify({ tools: declared === undefined ? {} : { bind: declared } }));
			await bench.rollOut(release({ RELEASE: "2", ...env }));
			const memory = async (): Promise<unknown> => JSON.parse(textOf(await bench.tool("read", { do: "memory" })));
			assert.deepEqual(await memory(), [["level", "none"]]);
			bench.killWorker();
			assert.deepEqual(await memory(), [["level", "none"]]);
			assert.equal(bench.effects("bind").length, 1);
			const isNoted = () => bench.host.health().notes.some((note) => /^new workers lack what .*: bind$/.test(note));
			assert.ok(isNoted());
			await bench.tool("bind", { key: "a", n: 2 });
			assert.ok(!isNoted());
		});
	}

	test("a contract file that cannot be used refuses the rollout, and the release before goes on under its own", async (t) => {
		const folder = temporaryFolder(t);
		const contract = join(folder, "contract.json");
		writeFileSync(contract, '{"tools":{"pay":{"recovery":"replay_safe"}}}');
		const bench = await Bench.initialized(t, { contract });
		const blue = bench.host.state().workerPid;
		writeFileSync(contract, '{"tools":{"pay":{"recovery":"never"}}}');
		const outcome = await bench.host.rollout(release({ RELEASE: "2" }));
		assert.ok(!outcome.ok);
		assert.equal(outcome.fault.code, "bad_contract");
		assert.match(outcome.fault.detail, /^the new release was not started: .*contract\.json: tools\.pay/);
		assert.deepEqual([bench.host.state().workerPid, bench.host.health().rollout], [blue, "stable"]);
		const call = bench.tool("pay", { ms: 300 });
		await until(() => bench.effects("pay").length === 1, "the payment has begun");
		bench.killWorker();
		assert.match(textOf(await call), /^\d+$/);
	});

	test("a question green asks before the switch is put to the client after it", async (t) => {
		const bench = await Bench.initialized(t);
		await bench.rollOut(release({ MODE: "ask-at-start" }));
		await until(() => bench.notifications("roots/list").length === 1, "the question arrives");
		assert.match(String(bench.notifications("roots/list")[0]?.id), /^holdfast-g2-/);
	});

	test("a question that green gives up before the switch is never put to the client", async (t) => {
		const bench = await Bench.initialized(t);
		await bench.rollOut(release({ MODE: "ask-at-start", GIVES_UP: "yes" }));
		assert.equal(textOf(await bench.tool("read", { do: "release" })), "1");
		assert.equal(bench.notifications("roots/list").length, 0);
	});

	test("a candidate that is being ended for what it said is not switched to, though it has not exited yet", async (t) => {
		const bench = new Bench(t, { graceMs: 3_000 });
		await until(() => bench.host.state().ready, "blue serves");
		const blue = bench.host.state().workerPid;
		const forward = `trap '' TERM; echo '{"jsonrpc":"2.0","id":1,"method":"roots/list"}'; while :; do sleep 0.1; done`;
		const outcome = await bench.host.rollout({ command: "sh", args: ["-c", forward] });
		assert.equal(!outcome.ok && outcome.fault.code, "candidate_spoke");
		assert.equal(bench.host.state().workerPid, blue);
		assert.match(textOf(await bench.tool("read")), /^\d+$/);
	});

	verifies(
		"002-problem-statement-rollout-list-changed",
		"a modern client's subscription outlives crash, restart and upgrade, and is told of the change under its own id",
		async (t) => {
			const bench = new Bench(t);
			const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
			await bench.request("server/discover", { _meta });
			await bench.request("tools/list", { _meta });
			void bench.request("subscriptions/listen", { notifications: { toolsListChanged: true }, _meta }, "sub");
			const acknowledged = () => bench.notifications("notifications/subscriptions/acknowledged");
			await until(() => acknowledged().length === 1, "the subscription is open");
			bench.killWorker();
			await bench.request("tools/call", { name: "read", arguments: {}, _meta });
			await bench.host.restart();
			await bench.request("tools/call", { name: "read", arguments: {}, _meta });
			await bench.rollOut(release({ RELEASE: "2" }));
			await bench.request("tools/call", { name: "read", arguments: {}, _meta });
			assert.equal(acknowledged().length, 1);
			assert.equal(bench.answers("sub").length, 0);
			assert.deepEqual(
				bench.notifications("notifications/tools/list_changed").map((one) => one.params),
				[{ _meta: { "io.modelcontextprotocol/subscriptionId": "sub" } }],
			);
		},
	);

	test("a subscription that blue opens only after the switch is told to be open by green alone", async (t) => {
		const folder = temporaryFolder(t);
		const [opening, held] = [join(folder, "opening"), join(folder, "held")];
		writeFileSync(opening, "");
		writeFileSync(held, "");
		const bench = new Bench(t, {}, { OPENING_HELD_WHILE: opening, HELD_WHILE: held });
		const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
		await bench.request("tools/list", { _meta });
		void bench.request("subscriptions/listen", { notifications: { toolsListChanged: true }, _meta }, "sub");
		const paid = bench.request("tools/call", { name: "pay", arguments: {}, _meta });
		await until(() => bench.effects("pay").length === 1, "a call of blue's is in flight");
		await bench.rollOut(release({ OPENING_HELD_WHILE: join(folder, "none"), HELD_WHILE: "" }));
		rmSync(opening);
		await until(() => bench.effects("opened").length === 2, "both have opened it");
		rmSync(held);
		await paid;
		await until(() => bench.notifications("notifications/subscriptions/acknowledged").length > 0, "it is open");
		await bench.request("tools/call", { name: "read", arguments: {}, _meta });
		assert.equal(bench.notifications("notifications/subscriptions/acknowledged").length, 1);
	});

	test("a modern client that never asks what the server is, as the SDK's does not, is told of the change all the same", async (t) => {
		const bench = new Bench(t);
		const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
		void bench.request("subscriptions/listen", { notifications: { toolsListChanged: true }, _meta }, "sub");
		await bench.request("tools/list", { _meta });
		assert.deepEqual(await bench.host.rollout(release({ RELEASE: "2" })), {
			ok: true,
			generation: 2,
			changed: ["tools"],
		});
		await bench.request("tools/list", { _meta });
		assert.deepEqual(
			bench.notifications("notifications/tools/list_changed").map((one) => one.params),
			[{ _meta: { "io.modelcontextprotocol/subscriptionId": "sub" } }],
		);
	});

	test("what the release before says of its own calls still reaches the client, what it says of lists does not", async (t) => {
		const bench = await Bench.initialized(t, { command: process.execPath, args: ["-e", FAREWELL], opsTools: false });
		const last = bench.tool("last", {});
		await until(() => bench.notifications("notifications/message").length === 1, "the call is in flight");
		await bench.rollOut();
		await last;
		const heard = bench.received.flatMap(({ method }) => (method === undefined ? [] : [method]));
		assert.deepEqual(heard, [
			"notifications/message",
			"notifications/elicitation/complete",
			"notifications/tasks/status",
		]);
	});

	test("a subscription that is ended during an upgrade or its probation is ended at both releases", async (t) => {
		const bench = new Bench(t, { rollouts: { crashLimit: 1 } });
		const subscribed = async (): Promise<unknown[]> =>
			JSON.parse(textOf(await bench.tool("read", { do: "memory" }))).map(([name]: [string]) => name);
		await bench.initialize();
		for (const uri of ["a", "b", "c"]) await bench.request("resources/subscribe", { uri });
		const stuck = bench.tool("bind", { key: "slow", n: 1, ms: 3_000 });
		await until(() => bench.effects("bind").length === 1, "a call that the switch waits for is in flight");
		const rolling = bench.host.rollout(release({ RELEASE: "2" }));
		await until(() => bench.host.health().rollout === "waiting", "green has been given the session");
		await bench.request("resources/unsubscribe", { uri: "a" });
		await bench.request("resources/unsubscribe", { uri: "b" });
		await bench.request("resources/subscribe", { uri: "b" });
		await stuck;
		assert.equal((await rolling).ok, true);
		assert.deepEqual((await subscribed()).toSorted(), ["level", "slow", "subscribed b", "subscribed c"]);
		await bench.request("resources/unsubscribe", { uri: "c" });
		bench.killWorker();
		await until(() => bench.host.health().rollout === "stable", "blue serves again");
		assert.equal(textOf(await bench.tool("read", { do: "release" })), "1");
		assert.deepEqual((await subscribed()).toSorted(), ["level", "slow", "subscribed b"]);
	});

	test("a watched resource that the new release lacks does not hold it back, and its watcher is told to look", async (t) => {
		const bench = await Bench.initialized(t, { rollouts: { probationMs: 50 } });
		for (const uri of ["a", "b"]) await bench.request("resources/subscribe", { uri });
		const told: string[] = [];
		bench.host.events.on("fault", ({ code, detail }) => void told.push(`${code}: ${detail}`));
		const failed = await bench.host.rollout(release({ LACKING: "a", MODE: "die-at-start" }));
		assert.equal(failed.ok, false);
		told.length = 0;
		const outcome = await bench.host.rollout(release({ LACKING: "a" }));
		assert.deepEqual(outcome.ok && outcome.changed, ["resources"]);
		assert.equal(told.length, 1);
		assert.match(told[0] ?? "", /^restore_refused: resources\/subscribe a, saved of the session, was refused/);
		assert.deepEqual(JSON.parse(textOf(await bench.tool("read", { do: "memory" }))), [
			["subscribed b", "yes"],
			["level", "none"],
		]);
		assert.equal(bench.notifications("notifications/resources/list_changed").length, 1);
		await bench.rollOut(release({ LACKING: "a", RELEASE: "3" }));
		assert.equal(told.length, 1);
	});

	for (const [era, params] of Object.entries({ handshake: { task: {} }, modern: {} })) {
		test(`a task of the ${era} era is asked for at the release that began it, which stays until its end is seen`, async (t) => {
			const server = { command: process.execPath, args: ["-e", TASK_KEEPER] };
			const bench = await Bench.initialized(t, { ...server, opsTools: false, rollouts: { probationMs: 10 } });
			const blue = bench.host.state().workerPid;
			const begun = await bench.request("tools/call", { name: "research", arguments: {}, ...params });
			const { taskId } = (begun.result?.task ?? begun.result) as { taskId: string };
			await bench.rollOut();
			await until(() => bench.host.health().rollout === "stable", "the probation is over");
			assert.equal((await bench.request("tasks/get", { taskId })).result?.status, "working");
			assert.equal(isGone(blue), false);
			const ended = await bench.request(era === "modern" ? "tasks/cancel" : "tasks/result", { taskId });
			assert.equal(textOf(ended), String(blue));
			if (era === "modern") {
				// The answer to a cancellation only acknowledges it.
				assert.equal((await bench.request("tasks/get", { taskId })).result?.status, "cancelled");
			}
			await until(() => isGone(blue), "blue is gone");
			assert.equal((await bench.request("tasks/get", { taskId })).error?.message, "no such task");
		});
	}

	test("the first page of the list of tasks has those of the releases before, while they are there", async (t) => {
		const server = { command: process.execPath, args: ["-e", TASK_KEEPER] };
		const bench = new Bench(t, { ...server, opsTools: false, rollouts: { probationMs: 10 } });
		const begin = async (): Promise<string> => {
			await bench.request("tools/call", { name: "research", arguments: {}, task: {} });
			return `task of ${bench.host.state().workerPid}`;
		};
		const listed = async (params: Record<string, unknown>): Promise<unknown> => {
			const { tasks } = (await bench.request("tasks/list", params)).result as { tasks: { taskId: string }[] };
			return tasks.map(({ taskId }) => taskId).toSorted();
		};
		await bench.initialize();
		const first = await begin();
		await bench.rollOut();
		const second = await begin();
		await bench.rollOut();
		const third = `task of ${bench.host.state().workerPid}`;
		await until(() => bench.host.health().rollout === "stable", "the probation is over");
		assert.deepEqual(await listed({}), [first, second, third].toSorted());
		assert.deepEqual(await listed({ cursor: "more" }), [third]);
		await bench.request("tasks/result", { taskId: first });
		await until(() => isGone(Number(first.slice("task of ".length))), "the first release is gone");
		assert.deepEqual(await listed({}), [second, third].toSorted());
	});

	test("progress that the release before asked the client for reaches it, and no other", async (t) => {
		const server = { command: process.execPath, args: ["-e", CURIOUS] };
		const bench = await Bench.initialized(t, { ...server, opsTools: false });
		const blue = bench.host.state().workerPid;
		const curious = bench.tool("curious");
		await until(() => bench.notifications("sampling/createMessage").length === 1, "the server asks");
		await bench.rollOut();
		bench.notify("notifications/progress", { progressToken: 3, progress: 1 });
		assert.equal(textOf(await curious), String(blue));
		await bench.request("ping");
		assert.deepEqual(bench.notifications("notifications/message"), []);
	});

	test("a candidate that pings is answered, also before its session has begun", async (t) => {
		const server = { command: process.execPath, args: ["-e", PINGING] };
		const bench = new Bench(t, { ...server, opsTools: false });
		let answered = 0;
		bench.output.on("data", () => {
			const pings = bench.notifications("ping");
			for (const { id } of pings.slice(answered)) bench.write(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
			answered = pings.length;
		});
		await bench.initialize();
		const pings = bench.notifications("ping").length;
		const outcome = await bench.host.rollout();
		assert.ok(outcome.ok, JSON.stringify(outcome));
		assert.equal(bench.notifications("ping").length, pings);
	});

	for (const [which, cursor] of Object.entries({ "an empty cursor": "", "the same cursor for ever": "more" })) {
		test(`a server that ends its lists with ${which} is known by its tools and can be rolled out`, async (t) => {
			const server = { command: process.execPath, args: ["-e", ENDLESS] };
			const bench = await Bench.initialized(t, { ...server, opsTools: false }, { CURSOR: cursor });
			const outcome = await bench.host.rollout();
			assert.ok(outcome.ok, JSON.stringify(outcome));
			bench.killWorker();
			assert.equal(textOf(await bench.tool("read")), "read");
			assert.equal(bench.host.health().notes.length, 0);
		});
	}

	test("a change of a watched file rolls the server out again", async (t) => {
		const folder = temporaryFolder(t);
		const file = join(folder, "built.js");
		writeFileSync(file, "1");
		const bench = await Bench.initialized(t, { watch: [file] });
		// The watch is attached in its own time; a change before that would go unseen.
		await new Promise((resolve) => setTimeout(resolve, 300));
		writeFileSync(file, "2");
		await until(() => bench.host.state().generation === 2, "the new worker serves");
		assert.match(textOf(await bench.tool("read")), /^\d+$/);
	});
});

/** Shakes hands and never says what its tools are, nor answers a call. */
const SILENT_LISTS = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	const capabilities = { tools: {}, logging: {}, resources: {}, experimental: {} };
	if (method === "initialize") console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: "silent", version: "1" } } }));
});`;

test("under load, rollout after rollout loses and doubles nothing", async (t) => {
	const bench = await Bench.initialized(t, { rollouts: { probationMs: 10 } });
	const answers: Promise<unknown>[] = [];
	let n = 0;
	const load = setInterval(() => {
		for (let i = 0; i < 3; i++) answers.push(bench.tool(i === 0 ? "pay" : "read", { key: `k${n++}`, ms: n % 40 }));
	}, 10);
	for (let round = 0; round < 4; round++) await bench.rollOut();
	clearInterval(load);
	await Promise.all(answers);
	assert.equal(bench.received.filter((one) => one.error !== undefined).length, 0);
	const payments = bench.effects("pay").map((line) => line.split(" ")[1]);
	assert.equal(new Set(payments).size, payments.length);
	assert.equal(bench.host.telemetry().totals.retries, 0);
});

/** Answers its call a while later, with all it has to say before that. */
const FAREWELL = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "farewell", version: "1" } } });
	else if (method === "tools/list") send({ id, result: { tools: [{ name: "last", inputSchema: { type: "object" } }] } });
	else if (method === "tools/call") {
		send({ method: "notifications/message", params: { level: "info", data: "begun" } });
		setTimeout(() => {
			for (const what of ["tools/list_changed", "resources/updated", "elicitation/complete", "tasks/status"])
				send({ method: "notifications/" + what, params: { uri: "file:///a", elicitationId: "e", taskId: "t" } });
			send({ id, result: { content: [] } });
		}, 3000);
	}
});`;

/** Knows only the tasks that it began itself, and works on them until it is asked for the end. */
const TASK_KEEPER = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
let status = "working";
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	const taskId = "task of " + process.pid;
	if (method === "tasks/cancel") status = "cancelled";
	const task = { taskId, status };
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {}, tasks: {} }, serverInfo: { name: "keeper", version: "1" } } });
	else if (method === "tools/list") send({ id, result: { tools: [{ name: "research", inputSchema: { type: "object" } }] } });
	else if (method === "tools/call") send({ id, result: params.task === undefined ? { resultType: "task", ...task } : { task } });
	else if (method === "tasks/list") send({ id, result: { tasks: [task] } });
	else if (params?.taskId !== taskId) send({ id, error: { code: -32602, message: "no such task" } });
	else if (method === "tasks/get") send({ id, result: task });
	else send({ id, result: { content: [{ type: "text", text: String(process.pid) }] } });
}).on("close", () => process.exit());`;

/** Answers its call with the first progress of what it asked for, and tells of any other. */
const CURIOUS = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
let asking;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "curious", version: "1" } } });
	else if (method === "tools/list") send({ id, result: { tools: [] } });
	else if (method === "tools/call") {
		asking = id;
		send({ id: 1, method: "sampling/createMessage", params: { _meta: { progressToken: 3 } } });
	} else if (method === "notifications/progress")
		send(asking === undefined ? { method: "notifications/message", params: { level: "info", data: "progress of what?" } } : { id: asking, result: { content: [{ type: "text", text: String(process.pid) }] } });
}).on("close", () => process.exit());`;

/** Serves only while each of its pings is answered, and pings as soon as it runs. */
const PINGING = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
let waiting = 0;
let line = [];
const ping = () => send({ id: "ping " + ++waiting, method: "ping" });
ping();
const serve = ({ id, method, params }) => {
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "pinging", version: "1" } } });
	else if (method === "tools/list") send({ id, result: { tools: [] } });
	else if (method === "notifications/initialized") ping();
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (text) => {
	const message = JSON.parse(text);
	if (message.method === undefined) waiting--;
	else line.push(message);
	while (waiting === 0 && line.length > 0) serve(line.shift());
}).on("close", () => process.exit());`;

/** One page of tools, however often it is asked. */
const ENDLESS = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const tools = [{ name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "endless", version: "1" } } });
	else if (method === "tools/list") send({ id, result: { tools, nextCursor: process.env.CURSOR } });
	else if (method === "tools/call") send({ id, result: { content: [{ type: "text", text: "read" }] } });
}).on("close", () => process.exit());`;

function isGone(pid: number | undefined): boolean {
	try {
		process.kill(pid ?? Number.NaN, 0);
		return false;
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "ESRCH";
	}
}
