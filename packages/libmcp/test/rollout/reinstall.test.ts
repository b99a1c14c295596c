import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
	chmodSync,
	chownSync,
	copyFileSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { askHost } from "../../src/control/controlClient.ts";
import { makeParts, type Parts } from "../../src/host/parts.ts";
import { Session } from "../../src/host/session/session.ts";
import type { HostOptions } from "../../src/host/settings/options.ts";
import { createCall } from "../../src/host/worker/call.ts";
import { resolvePointer } from "../../src/replay/jsonPointer.ts";
import { adoptState, captureState, readCapsule } from "../../src/rollout/capsule.ts";
import { Reinstall } from "../../src/rollout/reinstall.ts";
import type { HealthSnapshot } from "../../src/telemetry/healthBoard.ts";
import { scanEnvelope } from "../../src/wire/scanEnvelope.ts";
import { Bench, FIXTURE_COMMAND, faultOf, type Message, textOf } from "../host/harness.ts";

const HANDOFFS = Number(process.env.HANDOFFS ?? 3);

verifies(
	"002-problem-statement-hot-reinstall",
	`the host replaces its own program ${HANDOFFS} times under load: same pid, no answer lost or doubled, counters go on`,
	async (t) => {
		const client = new ProcessClient(t);
		await client.initialize();
		const { pid } = client.host;
		let sent = 0;
		const load = setInterval(() => {
			// However long a handoff takes here, the queue has an end.
			if (client.asked() - client.answered() > 200) return;
			client.call(sent % 5 === 0 ? "pay" : "read", { key: `k${sent++}`, ms: sent % 30 });
		}, 15);
		const generations: number[] = [];
		for (let handoff = 0; handoff < HANDOFFS; handoff++) {
			const answer = await client.control({ op: "reinstall" });
			assert.equal(answer.ok, true, JSON.stringify(answer));
			const health = await client.healthOfSuccessor(generations.at(-1) ?? 1);
			generations.push(health.generation);
		}
		clearInterval(load);
		await until(() => client.answered() === client.asked(), "everything is answered");
		assert.equal(client.host.pid, pid);
		assert.equal(client.host.exitCode, null);
		assert.equal(client.errors().length, 0, JSON.stringify(client.errors()[0]));
		assert.equal(client.duplicates(), 0);
		const payments = client.effects("pay");
		assert.equal(new Set(payments).size, payments.length);
		assert.equal(payments.length, Math.ceil(sent / 5));
		assert.deepEqual(
			generations,
			Array.from({ length: HANDOFFS }, (_, n) => n + 2),
		);
		const status = await client.control({ op: "telemetry" });
		assert.ok(status.ok);
		const { totals } = status.value as { totals: { requests: number; successes: number } };
		assert.ok(totals.successes >= sent, `${totals.successes} of ${sent}`);
		assert.deepEqual(readdirSync(client.runtime), [`reinstalled.${pid}.sock`], "neither capsules nor stale sockets");
	},
	{ timeout: 120_000 + HANDOFFS * 10_000 },
);

// At once, since both mostly wait until a handoff is given up.
void describe("handoffs that are refused", { concurrency: 2 }, () => {
	verifies(
		"002-problem-statement-hot-reinstall",
		"a call that may not be repeated refuses the handoff and goes on; two at once are one, and what comes after is read once",
		async (t) => {
			const client = new ProcessClient(t);
			await client.initialize();
			client.call("pay", { key: "long", ms: 7_000 });
			await until(() => client.effects("pay").length === 1, "the payment is in flight");
			const handoffs = [client.control({ op: "reinstall" }), client.control({ op: "reinstall" })];
			await Promise.race(handoffs);
			const rollout = await client.control({ op: "rollout" });
			assert.equal(rollout.ok ? "" : rollout.fault.code, "reinstall_in_progress", "the handoff ends all workers");
			const answers = await Promise.all(handoffs);
			assert.deepEqual(answers.map((answer) => (answer.ok ? "" : answer.fault.code)).sort(), [
				"calls_in_flight",
				"reinstall_in_progress",
			]);
			await until(() => client.answered() === client.asked(), "the payment is answered");
			client.call("pay", { key: "next" });
			await until(() => client.answered() === client.asked(), "the session goes on");
			client.call("read", {});
			await until(() => client.answered() === client.asked(), "all that was sent is read");
			assert.equal(client.effects("pay").length, 2);
			assert.equal(client.errors().length, 0, JSON.stringify(client.errors()[0]));
		},
	);

	test("what a client has not read yet is not lost to a handoff", async (t) => {
		const client = new ProcessClient(t);
		await client.initialize();
		client.host.stdout?.pause();
		client.call("read", { do: "big", n: 5_000_000 });
		await until(() => client.effects("read").length === 1, "the worker has it");
		for (let inFlight: unknown; inFlight !== 0; ) {
			const status = await client.control({ op: "status" });
			inFlight = status.ok && (status.value as { inFlight: number }).inFlight;
		}
		const answer = await client.control({ op: "reinstall" });
		assert.equal(answer.ok, false);
		if (!answer.ok) assert.equal(answer.fault.code, "client_not_reading");
		client.host.stdout?.resume();
		await until(() => client.answered() === client.asked(), "all of it is read");
		assert.equal(client.errors().length, 0);
		assert.equal((await client.control({ op: "reinstall" })).ok, true);
		client.call("read", {});
		await until(() => client.answered() === client.asked(), "the session goes on");
	});
});

test("a message over the limit that is half sent at a handoff is refused whole, never run without its middle", async (t) => {
	const client = new ProcessClient(t, { maxFrameBytes: 100_000 });
	await client.initialize();
	const text = `${JSON.stringify({
		jsonrpc: "2.0",
		id: "large",
		method: "tools/call",
		params: { name: "pay", arguments: { key: "x".repeat(300_000) } },
	})}\n`;
	client.host.stdin?.write(text.slice(0, 200_000));
	await until(async () => (await client.control({ op: "status" })).ok, "the host has read it");
	const handoff = client.control({ op: "reinstall" });
	await new Promise((resolve) => setTimeout(resolve, 200));
	client.host.stdin?.write(text.slice(200_000));
	assert.equal((await handoff).ok, true, "it waits for the end of the message");
	await client.healthOfSuccessor(1);
	const refused = client.errors().find(({ id }) => id === "large");
	assert.equal(refused && faultOf(refused).code, "frame_too_large");
	assert.deepEqual(client.effects("pay"), []);
	client.host.stdin?.write(text.slice(0, 200_000));
	const late = await client.control({ op: "reinstall" });
	assert.equal(late.ok ? "" : late.fault.code, "client_sending");
	client.host.stdin?.write(text.slice(200_000));
	client.call("read", {});
	await until(() => client.effects("read").length === 1, "the session goes on");
	assert.deepEqual(client.effects("pay"), []);
});

test("a call whose time runs out during a handoff is answered by the successor alone, which gives it no more time", async () => {
	const answers: Message[] = [];
	const client = { deliver: (answer: Buffer) => void answers.push(JSON.parse(answer.toString())) };
	const parts = (): Parts => makeParts({ ...FIXTURE_COMMAND, client, deadlines: { hardMs: 60_000 } });
	const frame = Buffer.from('{"jsonrpc":"2.0","id":7,"method":"tools/list"}');
	const envelope = scanEnvelope(frame);
	assert(envelope.kind === "request");
	const [before, after] = [parts(), parts()];
	const call = before.ledger.admit(frame, envelope);
	assert(call !== undefined);
	before.dispatch.submit(call);
	before.ledger.watch(call, { hardMs: 20 });
	before.ledger.pauseClocks();
	const state = JSON.parse(JSON.stringify(captureState(before, Buffer.alloc(0))));
	await new Promise((resolve) => setTimeout(resolve, 60));
	assert.equal(answers.length, 0, "the predecessor is silent");
	adoptState(after, state);
	await until(() => answers.length > 0, "the successor answers");
	assert.deepEqual(
		answers.map((answer) => [answer.id, faultOf(answer).code]),
		[[7, "deadline_passed"]],
	);
	before.ledger.resumeClocks();
	await until(() => answers.length === 2, "had the handoff failed, the predecessor would answer");
});

test("a handoff is refused from the beginning of a rollout, or a bad release could not be rolled back", async (t) => {
	const client = new ProcessClient(t);
	await client.initialize();
	client.call("bind", { key: "k", n: 1, ms: 1_000 });
	const rollout = client.control({ op: "rollout" });
	await until(async () => (await client.health()).rollout !== "stable", "the rollout is under way");
	const handoff = await client.control({ op: "reinstall" });
	assert.equal(handoff.ok ? "" : handoff.fault.code, "rollout_in_progress");
	assert.equal((await rollout).ok, true);
});

test("a host that has replaced its own program keeps no dead process of the program before", async (t) => {
	const client = new ProcessClient(t);
	await client.initialize();
	assert.equal((await client.control({ op: "reinstall" })).ok, true);
	await client.healthOfSuccessor(1);
	const children = execFileSync("ps", ["-A", "-o", "ppid=,stat="], { encoding: "utf8" })
		.split("\n")
		.map((line) => line.trim().split(/\s+/))
		.filter(([parent]) => Number(parent) === client.host.pid);
	assert.ok(children.length > 0);
	assert.deepEqual(
		children.filter(([, state]) => state?.startsWith("Z")),
		[],
	);
});

test("a host that is told to end between its preparation and the handoff ends", async (t) => {
	const client = new ProcessClient(t);
	await client.initialize();
	client.call("read", { ms: 60_000 });
	await until(() => client.effects("read").length === 1, "a call is in flight that may be repeated");
	assert.equal((await client.control({ op: "reinstall" })).ok, true);
	client.host.kill("SIGTERM");
	await until(() => client.host.exitCode !== null, "the host is gone");
	assert.equal(client.host.exitCode, 0);
	assert.equal(client.effects("read").length, 1);
	assert.deepEqual(readdirSync(client.runtime), []);
});

test("a host that is told to end while it prepares a handoff does not say that it hands over", async (t) => {
	const runtime = mkdtempSync(join(tmpdir(), "libmcp-closing-"));
	const before = { argv: [...process.argv], runtime: process.env.XDG_RUNTIME_DIR };
	t.after(() => {
		process.argv.splice(0, Number.POSITIVE_INFINITY, ...before.argv);
		if (before.runtime === undefined) delete process.env.XDG_RUNTIME_DIR;
		else process.env.XDG_RUNTIME_DIR = before.runtime;
		rmSync(runtime, { recursive: true, force: true });
	});
	process.env.XDG_RUNTIME_DIR = runtime;
	// A successor that finds the capsule in order.
	process.argv.splice(1, Number.POSITIVE_INFINITY, "-e", "0");
	const parts = makeParts({ ...FIXTURE_COMMAND, client: { deliver: () => {} } });
	let asked = 0;
	const outcome = await new Reinstall(parts, true, () => asked++ > 0).prepare();
	assert.equal(outcome.ok ? "handed over" : outcome.fault.code, "host_closing");
	const left = readdirSync(runtime, { recursive: true }).filter((name) => String(name).includes("capsule"));
	assert.deepEqual(left, []);
});

test("the successor knows lost tasks, releases that were rolled back and subscriptions that are open", async (t) => {
	const client = new ProcessClient(t, { rollouts: { crashLimit: 1 } });
	await client.initialize();
	await client.listen();
	const { result } = await client.request("tools/call", { name: "pay", arguments: {}, task: {} });
	const taskId = resolvePointer(result, "/task/taskId");
	const kill = () => client.request("tools/call", { name: "pay", arguments: { do: "die" } });
	await kill();
	await client.healthOfSuccessor(1);
	const command = { ...FIXTURE_COMMAND, env: { RELEASE: "2" } };
	assert.equal((await client.control({ op: "rollout", command })).ok, true);
	const early = await client.control({ op: "reinstall" });
	assert.equal(early.ok ? "" : early.fault.code, "rollout_in_progress", "there would be no way back");
	await kill();
	for (const successors of [0, 1, 2]) {
		if (successors > 0) {
			assert.equal((await client.control({ op: "reinstall" })).ok, true);
			await client.healthOfSuccessor(successors + 2);
		}
		assert.equal(faultOf(await client.request("tasks/get", { taskId })).code, "outcome_unknown");
		if (successors === 1) {
			const refused = await client.control({ op: "rollout", command });
			assert.equal(refused.ok ? "" : refused.fault.code, "release_quarantined");
		}
		assert.equal(client.acknowledgements(), 1);
	}
	assert.equal((await client.control({ op: "rollout", command })).ok, true, "it was refused before the last handoff");
});

test("calls that succeeded before their tools were known are known to the successor's session", () => {
	const frame = Buffer.from('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"bind"}}');
	const envelope = scanEnvelope(frame);
	assert(envelope.kind === "request");
	const [before, after] = [new Session(), new Session()];
	before.rememberEarly(createCall(frame, envelope, 1));
	after.adopt(JSON.parse(JSON.stringify(before.state())));
	assert.deepEqual(
		after.early.map(({ tool }) => tool),
		["bind"],
	);
});

verifies(
	"002-problem-statement-hot-reinstall",
	"a call that has used up its tries before a handoff gets none from the successor",
	() => {
		const frame = Buffer.from('{"jsonrpc":"2.0","id":7,"method":"tools/list"}');
		const envelope = scanEnvelope(frame);
		assert(envelope.kind === "request");
		const answers: Message[] = [];
		const client = { deliver: (answer: Buffer) => void answers.push(JSON.parse(answer.toString())) };
		const before = makeParts({ ...FIXTURE_COMMAND, client });
		const call = before.ledger.admit(frame, envelope);
		assert(call !== undefined);
		call.dispatched = true;
		call.knowledge = "outcome_unknown";
		call.replays = 4;
		const state = JSON.parse(JSON.stringify(captureState(before, Buffer.alloc(0))));
		before.ledger.settle(call, { kind: "cancelled" });
		adoptState(makeParts({ ...FIXTURE_COMMAND, client }), state);
		assert.deepEqual(
			answers.map((answer) => [answer.id, faultOf(answer).code]),
			[[7, "replay_exhausted"]],
		);
	},
);

verifies(
	"002-problem-statement-hot-reinstall",
	"a successor that cannot start is not switched to, and the worker serves on",
	async (t) => {
		const client = new ProcessClient(t);
		await client.initialize();
		const pid = async () => textOf(await client.request("tools/call", { name: "read", arguments: {} }));
		const worker = await pid();
		const main = client.breakProgram();
		const answer = await client.control({ op: "reinstall" });
		assert.equal(answer.ok, false);
		if (!answer.ok) assert.equal(answer.fault.code, "successor_refused");
		main.restore();
		assert.equal(await pid(), worker, "it keeps what it has in memory");
		assert.equal((await client.control({ op: "reinstall" })).ok, true);
		client.call("read", {});
		await until(() => client.answered() === client.asked(), "so does the successor");
		assert.equal(client.errors().length, 0);
	},
);

test("a host whose Node was removed refuses to replace itself, and its worker serves on", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-node-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const node = join(folder, "node");
	copyFileSync(process.execPath, node);
	const client = new ProcessClient(t, {}, node);
	await client.initialize();
	rmSync(node);
	const answer = await client.control({ op: "reinstall" });
	assert.equal(answer.ok ? "" : answer.fault.code, "successor_refused");
	assert.equal(answer.ok ? "" : answer.fault.detail, `${node} is gone`);
	client.call("read", {});
	await until(() => client.answered() === client.asked(), "the session goes on");
	assert.equal((await client.health()).generation, 1, "no worker was ended for it");
});

test("SIGUSR2 rolls the same command out again, in the same session", async (t) => {
	const client = new ProcessClient(t);
	await client.initialize();
	client.host.kill("SIGUSR2");
	assert.equal((await client.healthOfSuccessor(1)).generation, 2);
	client.call("pay", { key: "after" });
	await until(() => client.answered() === client.asked(), "the new worker answers");
	assert.equal(client.errors().length, 0);
});

test("a host inside another program refuses to replace that program", async (t) => {
	const bench = new Bench(t);
	await bench.initialize();
	const outcome = await bench.host.reinstall();
	assert.equal(outcome.ok, false);
	if (!outcome.ok) assert.equal(outcome.fault.code, "reinstall_unsupported");
});

test("a capsule that is corrupt, too large, foreign, open to others, a link or of another version is refused", (t) => {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-capsule-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const good = {
		version: 1,
		unread: "",
		session: {},
		calls: [],
		toWorker: [],
		toClient: [],
		generation: 3,
		command: { command: "x" },
		catalogue: null,
		telemetry: {},
		health: {},
	};
	const file = (text: string, mode = 0o600): string => {
		const path = join(folder, `c${Math.random()}`);
		writeFileSync(path, text, { mode });
		chmodSync(path, mode);
		return path;
	};
	const code = (path: string): unknown => {
		try {
			readCapsule(path);
			return "accepted";
		} catch (error) {
			const fault = typeof error === "object" && error !== null && "fault" in error ? error.fault : error;
			return typeof fault === "object" && fault !== null && "code" in fault ? fault.code : fault;
		}
	};
	const whole = JSON.stringify(good);
	assert.equal(code(file(whole)), "accepted");
	assert.equal(code(file(whole.slice(0, -5))), "capsule_corrupt");
	assert.equal(code(file("[]")), "capsule_corrupt");
	assert.equal(code(file(JSON.stringify({ ...good, calls: "none" }))), "capsule_corrupt");
	assert.equal(code(file(JSON.stringify({ ...good, version: 2 }))), "capsule_version");
	assert.equal(code(file(whole, 0o644)), "capsule_foreign");
	const huge = file(whole);
	truncateSync(huge, 256 * 1024 * 1024 + 1);
	assert.equal(code(huge), "capsule_too_large");
	const link = join(folder, "link");
	symlinkSync(file(whole), link);
	assert.equal(code(link), "ELOOP");
	if (process.getuid?.() === 0) {
		const foreign = file(whole);
		chownSync(foreign, 12_345, 12_345);
		assert.equal(code(foreign), "capsule_foreign");
	}
});

/** A client of a host that is a process of its own. */
class ProcessClient {
	readonly host: ChildProcess;
	readonly folder: string = mkdtempSync(join(tmpdir(), "libmcp-reinstall-"));
	readonly runtime: string = join(this.folder, "holdfast");
	readonly #answers: Message[] = [];
	readonly #main: string = join(this.folder, "main.ts");
	#partial = "";
	#asked = 0;

	constructor(t: TestContext, more: Partial<HostOptions> = {}, node: string = process.execPath) {
		const real = new URL("../scenarios/hostProcess.ts", import.meta.url).href;
		writeFileSync(this.#main, `await import(${JSON.stringify(real)});\n`);
		const options = {
			...FIXTURE_COMMAND,
			env: { EFFECTS: join(this.folder, "effects") },
			name: "reinstalled",
			control: true,
			graceMs: 300,
			...more,
		};
		this.host = spawn(node, ["--disable-warning=ExperimentalWarning", this.#main, JSON.stringify(options)], {
			stdio: ["pipe", "pipe", "inherit"],
			env: { ...process.env, XDG_RUNTIME_DIR: this.folder },
		});
		this.host.stdout?.on("data", (chunk: Buffer) => {
			const lines = (this.#partial + chunk.toString()).split("\n");
			this.#partial = lines.pop() ?? "";
			for (const line of lines) this.#answers.push(JSON.parse(line) as Message);
		});
		t.after(async () => {
			this.host.stdin?.end();
			await until(() => this.host.exitCode !== null || this.host.signalCode !== null, "the host is gone");
			rmSync(this.folder, { recursive: true, force: true });
		});
	}

	async initialize(): Promise<void> {
		const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
		this.#send("initialize", params);
		await until(() => this.answered() === 1, "the session is there");
		this.host.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
		this.#send("tools/list", {});
		await until(() => this.answered() === 2, "the tools are known");
		await this.healthOfSuccessor();
	}

	call(name: string, args: Record<string, unknown>): void {
		this.#send("tools/call", { name, arguments: args });
	}

	async request(method: string, params: unknown): Promise<Message> {
		this.#send(method, params);
		const id = this.#asked;
		const answer = (): Message | undefined => this.#answers.find((one) => one.id === id);
		await until(() => answer() !== undefined, method);
		return answer() ?? {};
	}

	/** Asks to be told of changes, which is answered only at the end. */
	async listen(): Promise<void> {
		this.#send("subscriptions/listen", { notifications: {} });
		await until(() => this.acknowledgements() === 1, "the subscription is open");
	}

	acknowledgements(): number {
		return this.#answers.filter(({ method }) => method === "notifications/subscriptions/acknowledged").length;
	}

	asked(): number {
		return this.#asked;
	}

	answered(): number {
		return new Set(this.#answers.map((one) => one.id)).size;
	}

	duplicates(): number {
		return this.#answers.length - this.answered();
	}

	errors(): Message[] {
		return this.#answers.filter((one) => one.error !== undefined);
	}

	effects(tool: string): string[] {
		try {
			const lines = readFileSync(join(this.folder, "effects"), "utf8").split("\n");
			return lines.filter((line) => line.startsWith(`${tool} `)).map((line) => line.split(" ")[1] ?? "");
		} catch {
			return [];
		}
	}

	control(request: Parameters<typeof askHost>[1]): ReturnType<typeof askHost> {
		return askHost(join(this.runtime, `reinstalled.${this.host.pid}.sock`), request, 60_000);
	}

	async health(): Promise<HealthSnapshot> {
		const answer = await this.control({ op: "status" });
		assert.ok(answer.ok);
		return (answer.value as { health: HealthSnapshot }).health;
	}

	/** The program that answers now, once it serves with a worker younger than that. */
	async healthOfSuccessor(after = 0): Promise<HealthSnapshot> {
		for (let attempt = 0; attempt < 600; attempt++) {
			const health = await this.health().catch(() => undefined);
			if (health?.state === "ready" && health.generation > after) return health;
			await new Promise((resolve) => setTimeout(resolve, 25));
		}
		throw new Error("no successor answers");
	}

	/** What an upgrade gone wrong leaves on disk. */
	breakProgram(): { restore(): void } {
		const text = readFileSync(this.#main, "utf8");
		writeFileSync(this.#main, "throw new Error('half an upgrade');\n");
		return { restore: () => writeFileSync(this.#main, text) };
	}

	#send(method: string, params: unknown): void {
		this.host.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++this.#asked, method, params })}\n`);
	}
}
