import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { host } from "../../src/control/host.ts";
import type { Host } from "../../src/control/hostHandle.ts";
import type { HostOptions } from "../../src/host/settings/options.ts";
import { scanEnvelope } from "../../src/wire/scanEnvelope.ts";
import { Bench, FIXTURE_COMMAND } from "./harness.ts";

const privateWorker = { methods: { plain: "replay_safe" }, otherMethods: "at_most_once" } as const;

function open(
	t: TestContext,
	options: Partial<HostOptions> = {},
	answered: (text: string) => void = () => {},
): { readonly host: Host; readonly answers: string[] } {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-inprocess-"));
	const answers: string[] = [];
	const running = host({
		...FIXTURE_COMMAND,
		...options,
		onWorkerStderr: () => {},
		graceMs: 300,
		env: { EFFECTS: join(folder, "effects") },
		client: {
			deliver: (frame) => {
				answers.push(frame.toString());
				answered(frame.toString());
			},
		},
	});
	t.after(async () => {
		await running.close();
		rmSync(folder, { recursive: true, force: true });
	});
	return { host: running, answers };
}

function ask(target: Host, id: number | string, method: string, params: unknown = {}): void {
	const frame = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
	target.receive(frame, scanEnvelope(frame));
}

test("a client in the same process is answered frame by frame, across a crash of the worker", async (t) => {
	const { host: running, answers } = open(t, { privateWorker });
	ask(running, "a", "plain");
	await until(() => answers.length === 1, "the first answer");
	process.kill(running.state().workerPid ?? Number.NaN, "SIGKILL");
	for (let id = 0; id < 10; id++) ask(running, id, "plain");
	await until(() => answers.length === 11, "all answers");
	const ids = answers.map((text) => JSON.parse(text).id);
	assert.deepEqual(ids[0], "a");
	assert.deepEqual(new Set(ids.slice(1)), new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
	assert.equal(running.telemetry().totals.successes, 11);
});

test("a private worker's failing tool and its refusals are counted as errors all the same", async (t) => {
	const { host: running, answers } = open(t, { privateWorker });
	ask(running, 1, "tools/call", { name: "read", arguments: { do: "complain" } });
	ask(running, 2, "no such method");
	await until(() => answers.length === 2, "both answers");
	assert.equal(running.telemetry().totals.errors, 2);
});

test("a call sent while the client is told that the one before took too long does not reach the hung worker", async (t) => {
	const deadlines = { hardMs: 1_500 };
	const { host: running, answers } = open(t, { privateWorker, deadlines }, (text) => {
		if (JSON.parse(text).id === "frozen") ask(running, "next", "tools/call", { name: "pay", arguments: {} });
	});
	ask(running, "first", "plain");
	await until(() => answers.length === 1, "the worker has started");
	ask(running, "frozen", "plain", { do: "freeze" });
	await until(() => answers.length === 3, "all answers");
	const [, frozen, next] = answers.map((text) => JSON.parse(text));
	assert.equal(frozen.error?.data.fault.code, "deadline_passed");
	assert.equal(next.error, undefined);
});

test("a host whose client speaks on streams takes no frames from elsewhere", (t) => {
	const bench = new Bench(t);
	const frame = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}');
	assert.throws(
		() => bench.host.receive(frame, scanEnvelope(frame)),
		/receive: the client of this host speaks on streams/,
	);
});
