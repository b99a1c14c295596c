import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { FIXTURE_COMMAND } from "../host/harness.ts";

const HOST = fileURLToPath(new URL("../scenarios/hostProcess.ts", import.meta.url));

test("a host that can make neither of its folders serves all the same, and says what it lacks", {
	skip: process.platform === "linux" ? false : "needs a /proc, where no folder can be made",
	timeout: 120_000,
}, async (t) => {
	const nowhere = "/proc/self/none";
	const options = JSON.stringify({ ...FIXTURE_COMMAND, name: "poor", control: true, telemetryDirectory: nowhere });
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", HOST, options], {
		env: { ...process.env, XDG_RUNTIME_DIR: nowhere },
	});
	t.after(() => child.kill("SIGKILL"));
	let said = "";
	child.stderr.on("data", (chunk: Buffer) => {
		said += chunk.toString();
	});
	child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}\n');
	const [answer] = await once(child.stdout, "data");
	assert.match(String(answer), /"protocolVersion":"2025-11-25"/);
	await until(() => /no control socket: .*\/proc\/self\/none/.test(said), "the missing socket");
	await until(() => /no telemetry file: .*\/proc\/self\/none/.test(said), "the missing log");
	child.stdin.end();
	assert.deepEqual(await once(child, "exit"), [0, null]);
});
