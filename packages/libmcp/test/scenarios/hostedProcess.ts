import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { HostOptions } from "../../src/host/settings/options.ts";
import { EffectLog } from "../../src/testing/effectLog.ts";
import { type FixtureConfig, fixtureCommand } from "../../src/testing/fixtureConfig.ts";
import { TestClient } from "../../src/testing/testClient.ts";
import { createSessionMark, type SessionMark } from "../../src/testing/testSession.ts";
import { temporary } from "./fixtureSession.ts";

const HOST_PROCESS = fileURLToPath(new URL("hostProcess.ts", import.meta.url));

/** A host that is a process of its own, as a client's configuration starts it. */
export type HostedProcess = {
	readonly child: ChildProcess;
	readonly client: TestClient;
	readonly log: EffectLog;
	/** Marks the host and all it starts. */
	readonly mark: SessionMark;
	readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null; at: number }>;
	stderr(): string;
};

export async function hostedProcess(
	t: TestContext,
	config: Partial<FixtureConfig> = {},
	options: Partial<HostOptions> & { readonly modern?: boolean } = {},
): Promise<HostedProcess> {
	const log = new EffectLog(join(temporary(t), "effects.jsonl"));
	const mark = createSessionMark();
	const { modern = false, ...hostOptions } = options;
	const hosted = { ...fixtureCommand({ effects: log.path, ...config }), name: "fixture", ...hostOptions };
	const child = spawn(
		process.execPath,
		["--disable-warning=ExperimentalWarning", HOST_PROCESS, JSON.stringify(hosted)],
		{
			stdio: ["pipe", "pipe", "pipe"],
			env: { ...process.env, ...mark.env },
		},
	);
	t.after(() => {
		for (const pid of mark.living()) process.kill(pid, "SIGKILL");
	});
	let errors = "";
	child.stderr.on("data", (chunk: Buffer) => {
		errors += chunk.toString();
	});
	child.stdin.on("error", () => {});
	const exited = once(child, "exit").then(([code, signal]) => ({ code, signal, at: performance.now() }));
	const client = new TestClient({ from: child.stdout, to: child.stdin }, { modern });
	await client.connect();
	return { child, client, log, mark, exited, stderr: () => errors };
}
