// An MCP server for tests, started as `node fixtureWorker.js <FixtureConfig as JSON>`. It speaks both eras, does what the
// calls' arguments say, and shares no code with the host it is used against.
import { spawn } from "node:child_process";
import { existsSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { EffectLog } from "./effectLog.ts";
import { FixtureCalls } from "./fixtureCalls.ts";
import type { FixtureConfig } from "./fixtureConfig.ts";
import { FixtureSession } from "./fixtureSession.ts";

const config: FixtureConfig = JSON.parse(process.argv[2] ?? "{}");
if (config.brokenWhile !== undefined && existsSync(config.brokenWhile)) process.exit(1);
if (config.startup?.kind === "exit") process.exit(config.startup.code);
if (config.exitAfterMs !== undefined) setTimeout(() => process.exit(3), config.exitAfterMs);
if (config.children === true) startChildren();

const log = new EffectLog(config.effects);
const release = config.release ?? "1";
log.append({ what: "started", tool: "", key: "", pid: process.pid, release });

const send = (message: Record<string, unknown>): void => {
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
};
const session = new FixtureSession(config, release, send);
const calls = new FixtureCalls({ config, release, log, session, send, raw: (text) => writeSync(1, text) });

createInterface({ input: process.stdin }).on("line", (line) => {
	const message: { id?: string | number; method?: string; params?: Record<string, unknown> } = JSON.parse(line);
	const { id, method, params = {} } = message;
	if (method === undefined) session.answered(message);
	else if (id === undefined) session.notified(method, params);
	else if (method === "tools/call") calls.run(id, params);
	else session.request(id, method, params);
});
process.stdin.on("close", () => process.exit(0));

/** Starts a child that ignores SIGTERM, and one that leaves the process group. */
function startChildren(): void {
	const stubborn = "process.on('SIGTERM',()=>{});process.on('SIGHUP',()=>{});setInterval(()=>{},1000)";
	spawn(process.execPath, ["-e", stubborn], { stdio: "ignore" }).unref();
	spawn(process.execPath, ["-e", stubborn], { stdio: "ignore", detached: true }).unref();
}
