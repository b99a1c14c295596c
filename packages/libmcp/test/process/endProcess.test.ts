import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type TestContext, test } from "node:test";

const MODULE = new URL("../../src/process/ownProcess.ts", import.meta.url).href;

/** A program whose input stays open, and what it said when it was over. */
async function run(t: TestContext, ...lines: readonly string[]): Promise<{ code: unknown; said: string }> {
	const source = [`import{endProcess}from${JSON.stringify(MODULE)}`, ...lines].join(";");
	const child: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: "pipe" });
	t.after(() => child.kill("SIGKILL"));
	let said = "";
	child.stdout?.on("data", (chunk) => (said += chunk));
	const [code] = await once(child, "close");
	return { code, said };
}

// A busy machine may take longer to run dry than the last resort waits.
const PATIENT = "const set=setTimeout;globalThis.setTimeout=(run,ms)=>set(run,100*ms)";
const TELL = 'const exit=process.exit;process.exit=(...given)=>{process.stdout.write("forced ");exit(...given)}';

test("a process with nothing left to do ends by itself, though its client holds on", async (t) => {
	const ended = await run(
		t,
		PATIENT,
		TELL,
		'process.stdin.on("data",()=>{})',
		"endProcess(3)",
		'process.stdout.write("last words")',
	);
	assert.deepEqual(ended, { code: 3, said: "last words" });
});

test("what somebody left open does not keep the process", async (t) => {
	const ended = await run(t, TELL, "setInterval(()=>{},60_000)", "endProcess(4)");
	assert.deepEqual(ended, { code: 4, said: "forced " });
});
