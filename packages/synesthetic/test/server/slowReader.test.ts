import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { folder } from "../folder.ts";
import { COMMAND } from "./stdioClient.ts";
import { residentKiB } from "./worker.ts";

const ASKED = 10_000;
// Of characters that a full pipe may cut in two.
const LONG = { text: "x€".repeat(4_500) };
const whole = `{"ok":true,"example":${JSON.stringify(LONG)}`;
const frame = (id: number): string =>
	`{"jsonrpc":"2.0","id":${id},"method":"get_example","params":{"path":"Long.json"}}\n`;

// Two at once, since each mostly waits.
for (const args of [[], ["--direct"]]) {
	const how = args.length === 0 ? "behind the host" : "in one process";
	void describe(how, { concurrency: 2 }, () => outlivesSlowReaders(how, args));
}

function outlivesSlowReaders(how: string, args: readonly string[]): void {
	test(`${how}, a client that asks much and reads late gets every answer, in memory that does not grow with them`, async (t) => {
		const child = start(t, args);
		await ready(child);
		for (let id = 0; id < ASKED; id += 1) child.stdin.write(frame(id));
		await new Promise((resolve) => setTimeout(resolve, 3_000));
		// All answers together are 180 MB.
		assert.ok(residentKiB(child.pid ?? 0) < 150 * 1024, `${residentKiB(child.pid ?? 0)} KiB`);
		child.stdin.end();
		let answers = 0;
		let rest = "";
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			const lines = (rest + text).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) {
				assert.ok(line.startsWith(`{"jsonrpc":"2.0","id":${answers},"result":${whole}`), line.slice(0, 100));
				answers += 1;
			}
		});
		assert.deepEqual(await once(child, "close"), [0, null]);
		assert.deepEqual([answers, rest], [ASKED, ""]);
	});

	test(`${how}, a client that reads nothing cannot keep the server from ending when it is told to`, async (t) => {
		const child = start(t, args);
		const said = await ready(child);
		for (let id = 0; id < 500; id += 1) child.stdin.write(frame(id));
		child.stdin.on("error", () => {});
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		child.kill("SIGTERM");
		assert.deepEqual(await once(child, "exit"), [0, null]);
		assert.equal(said(), "mcp:ready mode=stdio\nmcp:shutdown mode=stdio\n");
	});

	test(`${how}, a client that is gone ends the server without a stack trace`, async (t) => {
		const child = start(t, args);
		const said = await ready(child);
		child.stdout.destroy();
		child.stdin.on("error", () => {});
		const asking = setInterval(() => child.stdin.write(frame(1)), 5);
		const [code] = await once(child, "close");
		clearInterval(asking);
		assert.equal(code, 0);
		assert.equal(said(), "mcp:ready mode=stdio\nmcp:shutdown mode=stdio\n");
	});
}

function start(t: TestContext, args: readonly string[]): ChildProcessWithoutNullStreams {
	const cwd = folder(t, { "examples/Long.json": LONG });
	const env = { ...process.env, SYN_EXAMPLES_DIR: "examples", MCP_READY_FILE: join(cwd, "ready") };
	const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env });
	t.after(() => child.kill("SIGKILL"));
	return child;
}

/** What it says on stderr, so far, once it is ready. */
async function ready(child: ChildProcessWithoutNullStreams): Promise<() => string> {
	let said = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		said += text;
	});
	while (!said.includes("mcp:ready mode=stdio\n")) await once(child.stderr, "data");
	return () => said;
}
