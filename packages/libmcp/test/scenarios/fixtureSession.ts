import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Fault, isFault } from "../../src/fault/fault.ts";
import { parseContracts } from "../../src/host/settings/contractFile.ts";
import { EffectLog } from "../../src/testing/effectLog.ts";
import {
	FIXTURE_CONTRACT,
	type FixtureCommand,
	type FixtureConfig,
	fixtureCommand,
} from "../../src/testing/fixtureConfig.ts";
import type { Answer } from "../../src/testing/testClient.ts";
import {
	findLeftovers,
	type TestSession,
	type TestSessionOptions,
	testSession,
} from "../../src/testing/testSession.ts";

/** A session over fixture workers, its effect log, and the fixture's command in other guises. */
export type FixtureSession = TestSession & {
	readonly folder: string;
	readonly log: EffectLog;
	command(more?: Partial<FixtureConfig>): FixtureCommand;
};

/** The fixture's declared contracts, probes included. */
export const CONTRACT = parseContracts(FIXTURE_CONTRACT);

/** Ends with the test, which fails when the books do not balance or a process is left behind. */
export async function fixtureSession(
	t: TestContext,
	config: Partial<FixtureConfig> = {},
	options: Partial<TestSessionOptions> = {},
): Promise<FixtureSession> {
	const folder = temporary(t);
	const log = new EffectLog(join(folder, "effects.jsonl"));
	const command = (more: Partial<FixtureConfig> = {}) => fixtureCommand({ effects: log.path, ...config, ...more });
	const session = await testSession({ ...command(), name: "fixture", ...options });
	t.after(async () => {
		await session.close();
		assert.deepEqual(session.client.violations, []);
		assert.deepEqual(await findLeftovers(session.mark, 30_000), [], "processes left behind");
	});
	return { ...session, folder, log, command };
}

export function temporary(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-scenario-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** The fault an answer carries; fails when it carries none. */
export function faultOf(answer: Answer): Fault {
	const data = answer.error?.data;
	const fault = typeof data === "object" && data !== null && "fault" in data ? data.fault : undefined;
	assert.ok(isFault(fault), `expected a fault, got ${JSON.stringify(answer)}`);
	return fault;
}

/** The structured content of a good answer. */
export function contentOf(answer: Answer): Record<string, unknown> {
	const content = answer.result?.structuredContent;
	assert.ok(typeof content === "object" && content !== null, `expected a result, got ${JSON.stringify(answer)}`);
	return { ...content };
}

/** Kills the worker that serves now and returns its pid. */
export async function killWorker(session: TestSession, signal: NodeJS.Signals = "SIGKILL"): Promise<number> {
	const pid = await session.worker();
	process.kill(pid, signal);
	return pid;
}

export const ERAS = [
	{ era: "legacy", modern: false },
	{ era: "modern", modern: true },
] as const;
