import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { leftovers, sessionMark } from "libmcp/testing";
import { until } from "../../../../e2e/until.ts";
import { triageFolder } from "../../src/index/recordFiles.ts";
import { at, PROGRAM } from "../server/serving.ts";
import { type TestWorkspace, workspaceOf } from "../tools/workspace.ts";
import { Gate } from "./gate.ts";
import { AFFECTED } from "./reports.ts";

export type Session = TestWorkspace & {
	readonly client: Client;
	readonly gate: Gate;
	/** Returns the result of a tool that must succeed. */
	call(name: string, args?: Record<string, unknown>): Promise<Readonly<Record<string, unknown>>>;
	/** Kills the worker and waits until another has replaced it. */
	killWorker(): Promise<void>;
	readonly recordsDir: string;
	/** Names of the records on disk, and of anything else there. */
	records(): string[];
};

/** Starts the built server under its host, with the official client. */
export async function session(
	t: Pick<TestContext, "after">,
	extra: Readonly<Record<string, string>> = {},
): Promise<Session> {
	const space = await workspaceOf(t, AFFECTED, { indexed: false });
	const gate = new Gate(space.base);
	const mark = sessionMark();
	const client = new Client({ name: "triage", version: "1.0.0" });
	t.after(async () => {
		await client.close();
		assert.deepEqual(await leftovers(mark, 30_000), []);
	});
	const data = join(space.base, "data");
	const recordsDir = triageFolder(data, space.root);
	const env = {
		PATH: process.env.PATH ?? "",
		HOME: space.base,
		XDG_RUNTIME_DIR: space.base,
		PAIROFCLEATS_CACHE_ROOT: space.cacheRoot,
		PAIROFCLEATS_DATA_ROOT: data,
		...mark.env,
		...gate.env,
		...extra,
	};
	const args = [PROGRAM, "mcp", "--repo", space.root];
	await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
	const workers = (): number[] => mark.living().filter((pid) => isWorker(pid));
	return {
		...space,
		client,
		gate,
		recordsDir,
		call: async (name, args_ = {}) => {
			const answer = await client.callTool({ name, arguments: args_ });
			const result = at(answer.structuredContent, "/result");
			assert.ok(typeof result === "object" && result !== null, JSON.stringify(answer));
			return result as Readonly<Record<string, unknown>>;
		},
		killWorker: async () => {
			const found = workers();
			assert.ok(found.length > 0, "there is a worker to kill");
			for (const pid of found) process.kill(pid, "SIGKILL");
			await until(() => workers().some((pid) => !found.includes(pid)), "the next worker");
		},
		records: () => readdirSync(recordsDir).sort(),
	};
}

function isWorker(pid: number): boolean {
	try {
		const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
		return words.includes(PROGRAM) && words.includes("--direct");
	} catch {
		return false;
	}
}
