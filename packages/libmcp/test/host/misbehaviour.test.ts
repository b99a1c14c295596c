import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { parseContracts } from "../../src/host/settings/contractFile.ts";
import { spawnWorker } from "../../src/host/worker/spawnWorker.ts";
import { Bench, FIXTURE_COMMAND, faultOf, textOf } from "./harness.ts";

// A few at once, since each mostly waits for a limit to pass.
void describe("limits of time", { concurrency: 4 }, () => {
	verifies(
		"002-faults-class-timeout",
		"a worker that hangs is replaced, its call times out and its neighbours fare by their contracts",
		async (t) => {
			const bench = new Bench(t, { deadlines: { hardMs: 4_000 } });
			await bench.initialize();
			const hung = bench.tool("read", { do: "freeze" });
			await until(() => bench.effects("read").length === 1, "the worker is frozen");
			const answer = await hung;
			assert.equal(faultOf(answer).class, "timeout");
			assert.equal(faultOf(answer).code, "deadline_passed");
			assert.equal(faultOf(answer).retry, "safe");
			assert.match(textOf(await bench.tool("read")), /^\d+$/);
			assert.equal(bench.host.health().restartCount, 1);
			assert.equal(bench.host.telemetry().restartFault?.code, "worker_hung");
		},
	);

	test("of a call over its limit that never began it is said that it may be sent again", async (t) => {
		const contract = parseContracts({ tools: { job: { recovery: "at_most_once", deadlineMs: 1_500 } } });
		const bench = new Bench(t, { contract, maxInFlight: 1, deadlines: { hardMs: 4_000 } });
		await bench.initialize();
		const begun = bench.tool("pay", { do: "hang" });
		const waiting = bench.tool("job");
		const told = (await Promise.all([begun, waiting])).map(faultOf).map(({ code, retry }) => [code, retry]);
		assert.deepEqual(told, [
			["deadline_passed", "unsafe"],
			["deadline_passed", "safe"],
		]);
		assert.deepEqual([bench.effects("pay").length, bench.effects("job").length], [1, 0]);
	});

	test("a call that waits for the client past its limit is given up alone, however long its worker was silent", async (t) => {
		const contract = parseContracts({ tools: { job: { recovery: "at_most_once", deadlineMs: 1_500 } } });
		const bench = new Bench(t, { contract });
		await bench.initialize();
		const pid = String(bench.host.state().workerPid);
		const beside = bench.tool("pay", { ms: 3_000 });
		const asking = bench.tool("job", { do: "ask", ms: 60_000 });
		assert.equal(faultOf(await asking).code, "deadline_passed");
		assert.deepEqual([textOf(await bench.tool("read")), textOf(await beside)], [pid, pid]);
		assert.equal(bench.host.health().restartCount, 0);
	});

	for (const method of ["initialize", "server/discover"]) {
		test(`a server that is silent for longer than a call may be while it starts is waited for at ${method}`, async (t) => {
			const answering = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
				const { id } = JSON.parse(line);
				console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25", capabilities: {} } }));
			});`;
			const args = ["-e", `setTimeout(() => { ${answering} }, 1_500)`];
			const bench = new Bench(t, { command: process.execPath, args, deadlines: { inactivityMs: 500 } });
			assert.equal((await bench.request(method, { protocolVersion: "2025-11-25" })).error, undefined);
			assert.equal(bench.host.health().restartCount, 0);
		});
	}

	test("waiting for the end of a task is not silence", async (t) => {
		const server = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
			const { id } = JSON.parse(line);
			setTimeout(() => console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } })), 1_500);
		});`;
		const bench = new Bench(t, { command: process.execPath, args: ["-e", server], deadlines: { inactivityMs: 500 } });
		assert.deepEqual((await bench.request("tasks/result", { taskId: "one" })).result, { content: [] });
	});

	test("a worker that hangs is replaced although its client gives up each call before the limit", async (t) => {
		const bench = new Bench(t, { deadlines: { hardMs: 2_000 } });
		await bench.initialize();
		bench.killWorker("SIGSTOP");
		for (let id = 101; bench.host.state().generation === 1 && id < 160; id++) {
			void bench.request("tools/call", { name: "read", arguments: {} }, id);
			await delay(200);
			bench.notify("notifications/cancelled", { requestId: id });
		}
		assert.equal(bench.host.health().lastFault?.code, "worker_hung");
		assert.match(textOf(await bench.tool("read")), /^\d+$/);
	});

	test("a worker is replaced long before the limit once two calls in a row were given up and it answers no ping", async (t) => {
		const bench = new Bench(t, { deadlines: { hardMs: 18_000 } });
		await bench.initialize();
		bench.killWorker("SIGSTOP");
		// Two are enough, unless words from before the stop are read after the first has begun.
		for (let id = 101; bench.host.state().generation === 1 && id < 106; id++) {
			void bench.request("tools/call", { name: "read", arguments: {} }, id);
			await delay(2_000);
			bench.notify("notifications/cancelled", { requestId: id });
		}
		assert.match(textOf(await bench.tool("read")), /^\d+$/);
		const fault = bench.host.health().lastFault ?? assert.fail("it was not replaced");
		assert.match(`${fault.code}: ${fault.detail}`, /^worker_hung: .* like the call before it$/);
	});

	test("calls that one impatient client gives up together, or at once, are no sign that a worker hangs", async (t) => {
		const bench = new Bench(t, { deadlines: { hardMs: 60_000 } });
		await bench.initialize();
		bench.killWorker("SIGSTOP");
		const together = [101, 102, 103];
		for (const id of together) void bench.request("tools/call", { name: "read", arguments: {} }, id);
		await delay(100);
		for (const requestId of together) bench.notify("notifications/cancelled", { requestId });
		void bench.request("tools/call", { name: "read", arguments: {} }, 104);
		bench.notify("notifications/cancelled", { requestId: 104 });
		await delay(2_000);
		assert.equal(bench.host.state().generation, 1);
		bench.killWorker("SIGCONT");
		assert.match(textOf(await bench.tool("read")), /^\d+$/);
	});

	test("a call given up by its client costs a worker nothing that goes on speaking, or answers a ping", async (t) => {
		const bench = new Bench(t, { deadlines: { hardMs: 4_000 } });
		await bench.initialize();
		const pid = bench.host.state().workerPid;
		void bench.request("tools/call", { name: "pay", arguments: { do: "hang" } }, 101);
		bench.notify("notifications/cancelled", { requestId: 101 });
		await delay(5_500);
		await bench.tool("read");
		assert.equal(bench.host.state().workerPid, pid);
	});

	test("one call over its limit is given up alone while its worker still speaks", async (t) => {
		const bench = new Bench(t, { deadlines: { hardMs: 2_500 } });
		await bench.initialize();
		const pid = bench.host.state().workerPid;
		const stuck = bench.tool("pay", { do: "hang" });
		const chatter = setInterval(() => void bench.tool("read"), 50);
		const answer = await stuck;
		clearInterval(chatter);
		assert.equal(faultOf(answer).class, "timeout");
		assert.equal(faultOf(answer).retry, "unsafe");
		assert.match(textOf(await bench.tool("read")), /^\d+$/);
		assert.equal(bench.host.state().workerPid, pid);
	});

	test("a call is not silent while the user thinks about a question of its server, and is again after the answer", async (t) => {
		const server = { command: process.execPath, args: ["-e", ASKING] };
		const bench = new Bench(t, { ...server, opsTools: false, deadlines: { inactivityMs: 1_500 } });
		await bench.initialize();
		bench.output.on("data", () => {
			for (const { id, method } of bench.received.splice(0))
				if (method === "elicitation/create")
					setTimeout(() => bench.write(JSON.stringify({ jsonrpc: "2.0", id, result: { action: "decline" } })), 4_000);
		});
		const [answered, silent] = await Promise.all([bench.tool("answer"), bench.tool("ignore")]);
		assert.equal(textOf(answered), "declined");
		assert.match(String(faultOf(silent).detail), /no sign of life in 1500 ms$/);
	});

	test("progress keeps a call alive past its inactivity limit, and is silent after the answer", async (t) => {
		const bench = new Bench(t, { deadlines: { inactivityMs: 1_500 } });
		await bench.initialize();
		const answer = await bench.request("tools/call", {
			name: "read",
			arguments: { do: "progress", n: 22, ms: 100 },
			_meta: { progressToken: "p" },
		});
		assert.equal(textOf(answer), "done");
		const values = bench.notifications("notifications/progress").map((one) => one.params?.progress);
		assert.equal(values.at(-1), 22);
		assert.deepEqual(
			values,
			[...values].sort((a, b) => Number(a) - Number(b)),
		);
	});
});

verifies(
	"002-faults-class-downstream",
	"an error that the server answers is a downstream fault of its method, and no reason to replace the worker",
	async (t) => {
		const bench = new Bench(t);
		await bench.initialize();
		assert.equal((await bench.tool("read", { do: "fail" })).error?.code, -32050);
		const { lastMethodError, methods } = bench.host.telemetry();
		assert.ok(lastMethodError?.kind === "response");
		assert.deepEqual(lastMethodError.fault, {
			class: "downstream",
			code: "error_response",
			detail: "error -32050 from downstream",
			generation: 1,
			hint: "keep_worker",
			retry: "never",
		});
		const error = methods.find(({ method }) => method === "tools/call read")?.lastError;
		assert.deepEqual({ ...error, method: "tools/call read" }, lastMethodError);
		assert.equal(bench.host.health().restartCount, 0);
	},
);

verifies(
	"002-faults-class-invariant",
	"what listens to the host and fails is an invariant fault, and the host and the other listeners go on",
	async (t) => {
		const bench = new Bench(t);
		const heard: string[] = [];
		const fail = (): never => {
			throw new TypeError("x is not a function");
		};
		for (const name of ["fault", "ready", "restart", "replay"] as const)
			bench.host.events.once(name, fail).on(name, () => heard.push(name));
		await bench.initialize();
		const call = bench.tool("read", { ms: 600 });
		await until(() => bench.effects("read").length === 1, "the call is in flight");
		bench.killWorker();
		assert.match(textOf(await call), /^\d+$/);
		assert.deepEqual(new Set(heard), new Set(["ready", "fault", "restart", "replay"]));
		assert.equal(bench.host.telemetry().faults["invariant.unexpected_error"], 4);
		bench.host.events.addSink({ record: fail, close: () => {} });
		assert.match(textOf(await bench.tool("read")), /^\d+$/);
		assert.equal(bench.host.telemetry().faults["invariant.unexpected_error"], 5);
		assert.equal(bench.host.health().lastFault?.detail, "TypeError: x is not a function");
	},
);

verifies(
	"000-p2-6-kill-failure-reported",
	"a worker's tree that could not be ended is a fault in telemetry",
	async (t) => {
		const spawned = spawnWorker({ ...FIXTURE_COMMAND, env: { EFFECTS: "unused" } });
		const bench = new Bench(t, { firstWorker: spawned });
		await bench.initialize();
		(await spawned).onKillFailure({ code: "kill_denied", pid: 9, detail: "not permitted" });
		assert.equal(bench.host.telemetry().faults["process.kill_denied"], 1);
		assert.equal(bench.host.health().lastFault?.code, "kill_denied");
	},
);

/** Closes one of its pipes and lives on; the next worker, which finds the file, answers. */
const CUTTING = `
const fs = require("node:fs");
const again = fs.existsSync(process.env.EFFECTS);
const send = (message) => fs.writeSync(1, JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "cutting", version: "1" } } });
	if (method === "tools/list") return send({ id, result: { tools: [{ name: "any", annotations: { readOnlyHint: true } }] } });
	if (id === undefined) return;
	if (again) return send({ id, result: { content: [{ type: "text", text: "answered" }] } });
	try {
		fs.closeSync(process.env.CLOSES === "output" ? 1 : 0);
	} catch {}
	fs.writeFileSync(process.env.EFFECTS, "");
});
setInterval(() => {}, 1000);`;

for (const CLOSES of ["input", "output"]) {
	test(`a worker that closes its ${CLOSES} and lives on is replaced at once`, { timeout: 60_000 }, async (t) => {
		const bench = new Bench(t, { command: process.execPath, args: ["-e", CUTTING] }, { CLOSES });
		await bench.initialize();
		const first = bench.tool("any");
		await until(() => existsSync(join(bench.folder, "effects")), "it has closed it");
		const second = bench.tool("any");
		assert.deepEqual([textOf(await first), textOf(await second)], ["answered", "answered"]);
		assert.equal(bench.host.telemetry().restartFault?.code, "worker_cut_off");
	});
}

/** Asks the user during each call, and has nothing to say afterwards in some. */
const ASKING = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params, result } = JSON.parse(line);
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "asking", version: "1" } } });
	else if (method === "tools/list") send({ id, result: { tools: [] } });
	else if (method === "ping") send({ id, result: {} });
	else if (method === "tools/call") send({ id: [params.name, id].join(), method: "elicitation/create", params: {} });
	else if (result && id.startsWith("answer")) send({ id: Number(id.split(",")[1]), result: { content: [{ type: "text", text: "declined" }] } });
});`;

test("progress of a repeated call never goes back", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const answer = bench.request("tools/call", {
		name: "read",
		arguments: { do: "progress", n: 6, ms: 30 },
		_meta: { progressToken: 9 },
	});
	await until(() => bench.notifications("notifications/progress").length >= 3, "three steps are done");
	bench.killWorker();
	assert.equal(textOf(await answer), "done");
	const values = bench.notifications("notifications/progress").map((one) => Number(one.params?.progress));
	for (const [index, value] of values.entries())
		assert.ok(index === 0 || value > (values[index - 1] ?? 0), `${values}`);
});

verifies("002-faults-class-protocol", "garbage on stdout never reaches the client and is one fault", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const pid = bench.host.state().workerPid;
	assert.equal(textOf(await bench.tool("read", { do: "spew", n: 1_000 })), "spewed");
	assert.equal(
		bench.raw.some((line) => line.includes("garbage")),
		false,
	);
	assert.equal(bench.host.telemetry().faults["protocol.garbage_output"], 1);
	assert.equal(bench.host.state().workerPid, pid);
});

test("a flood of garbage past the limit costs the worker its place", async (t) => {
	const bench = new Bench(t, { garbage: { lines: 500 } });
	await bench.initialize();
	const pid = bench.host.state().workerPid;
	void bench.tool("read", { do: "spew", n: 5_000 });
	await until(() => bench.host.state().workerPid !== pid && bench.host.state().ready, "a new worker serves");
	assert.equal(bench.host.telemetry().restartFault?.code, "garbage_flood");
});

for (const [tool, retry] of [
	["read", "never"],
	["pay", "unsafe"],
] as const) {
	verifies(
		"002-faults-class-resource",
		`an answer of ${tool} over the limit fails its call alone, and says that the call has run`,
		async (t) => {
			const bench = new Bench(t, { maxFrameBytes: 100_000 });
			await bench.initialize();
			const [big, small] = await Promise.all([bench.tool(tool, { do: "big", n: 200_000 }), bench.tool("read")]);
			const { class: kind, code, detail, retry: advice } = faultOf(big);
			assert.deepEqual([kind, code, advice], ["resource", "answer_too_large", retry]);
			assert.match(String(detail), /message of 200\d{3} bytes.*at most 100000 .*--max-frame/);
			assert.equal(big.error?.code, -32603);
			assert.match(big.error?.message ?? "", /the call itself has run\. Ask for less only if it may be repeated\.$/);
			assert.match(textOf(small), /^\d+$/);
		},
	);
}

test("a request over the limit is refused by its own id and the session goes on", async (t) => {
	const bench = new Bench(t, { maxFrameBytes: 100_000 });
	await bench.initialize();
	const refused = await bench.tool("read", { key: "x".repeat(200_000) });
	assert.equal(faultOf(refused).code, "frame_too_large");
	assert.match(String(faultOf(refused).detail), /message of 200\d{3} bytes.*at most 100000 .*--max-frame/);
	assert.match(textOf(await bench.tool("read")), /^\d+$/);
});

test("what is no message is refused with the code JSON-RPC has for it", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	bench.write("{nonsense");
	bench.write('[{"jsonrpc":"2.0","id":1,"method":"ping"}]');
	bench.write('{"jsonrpc":"1.0","id":"old","method":"ping"}');
	await until(() => bench.answers("old").length === 1, "all three are answered");
	assert.deepEqual(
		bench.answers(null).map((one) => one.error?.code),
		[-32700, -32600],
	);
	assert.equal(bench.answers("old")[0]?.error?.code, -32600);
	assert.match(textOf(await bench.tool("read")), /^\d+$/);
});

test("a worker that dies at start trips the breaker, calls fail fast, and the pipe stays open", async (t) => {
	const bench = new Bench(
		t,
		{ restarts: { intensity: 2, backoffMs: 10, coolDownMs: 60_000 } },
		{ MODE: "die-at-start" },
	);
	await until(() => bench.host.state().breaker === "open", "the breaker is open");
	const answer = await bench.tool("read");
	const fault = faultOf(answer);
	assert.equal(fault.class, "process");
	assert.equal(fault.code, "worker_unavailable");
	assert.equal(fault.retry, "later");
	assert.ok(Number(fault.retryAfterMs) > 0 && Number(fault.retryAfterMs) <= 60_000);
	assert.match(answer.error?.message ?? "", /Retry after \d+ s\./);
	assert.equal(bench.host.health().state, "failing");
	assert.equal(bench.host.health().restartCount, 2);
});

test("a working folder that is not there is blamed itself, and not the command", async (t) => {
	for (const cwd of ["/nonexistent/folder", process.execPath]) {
		const bench = new Bench(t, { cwd, restarts: { intensity: 0, coolDownMs: 60_000 } });
		await until(() => bench.host.state().breaker === "open", "the breaker is open");
		const { code, detail = "" } = bench.host.health().lastFault ?? {};
		assert.equal(code, "no_working_folder");
		assert.ok(detail.includes(cwd), detail);
	}
});

test("a command that does not exist is a fault, not a crash of the host", async (t) => {
	const bench = new Bench(t, {
		command: "/nonexistent/server",
		args: [],
		restarts: { intensity: 0, coolDownMs: 60_000 },
	});
	await until(() => bench.host.state().breaker === "open", "the breaker is open");
	assert.equal(bench.host.health().lastFault?.code, "command_not_found");
	assert.equal(faultOf(await bench.tool("read")).code, "worker_unavailable");
});

verifies("002-faults-class-resource", "calls past the queue's bound are told its size", async (t) => {
	const bench = new Bench(t, { maxQueue: 3, maxInFlight: 2 });
	await bench.initialize();
	const calls = Array.from({ length: 10 }, () => bench.tool("read", { ms: 300 }));
	const answers = await Promise.all(calls);
	const refused = answers.filter((one) => one.error !== undefined);
	assert.equal(refused.length, 5);
	for (const { error } of refused) {
		assert.equal(error?.code, -32001);
		assert.equal(error?.data?.code, "QUEUE_OVERLOADED");
		assert.equal(error?.data?.max, 3);
		assert.equal(error?.data?.size, 3);
	}
});

test("a cancelled call gets no answer, in flight or waiting, and its id may be used again", async (t) => {
	const bench = new Bench(t, { maxInFlight: 1 });
	await bench.initialize();
	void bench.request("tools/call", { name: "pay", arguments: { ms: 300 } }, "running");
	void bench.request("tools/call", { name: "pay", arguments: { key: "never" } }, "waiting");
	bench.notify("notifications/cancelled", { requestId: "waiting" });
	bench.notify("notifications/cancelled", { requestId: "running" });
	const again = await bench.request("tools/call", { name: "read", arguments: { ms: 500 } }, "running");
	assert.match(textOf(again), /^\d+$/);
	assert.equal(bench.answers("running").length, 1);
	assert.equal(bench.answers("waiting").length, 0);
	assert.equal(
		bench.effects("pay").some((line) => line.includes("never")),
		false,
	);
	assert.equal(bench.host.telemetry().totals.cancelled, 2);
});

test("a client that does not read holds the worker back instead of filling memory", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	bench.output.pause();
	const calls = Array.from({ length: 40 }, () => bench.tool("read", { do: "big", n: 1_000_000 }));
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	assert.ok(bench.output.readableLength + bench.output.writableLength < 30_000_000);
	bench.output.resume();
	const answers = await Promise.all(calls);
	assert.ok(answers.every((one) => textOf(one).length === 1_000_000));
});
