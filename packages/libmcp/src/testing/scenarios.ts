import { setTimeout as delay } from "node:timers/promises";
import { chaos, load, seededRandom } from "./chaos.ts";
import { leftovers } from "./leftovers.ts";
import type { Answer } from "./testClient.ts";
import { type TestSession, type TestSessionOptions, testSession } from "./testSession.ts";

export type ToolCall = { readonly tool: string; readonly arguments?: Record<string, unknown> };

export type ServerUnderTest = TestSessionOptions & {
	/** A call that may be repeated and must succeed: the scenarios send many. */
	readonly safeCall: ToolCall;
	/** A call that must never take effect twice, and how to count its effects: without it that scenario is left out. */
	readonly effect?: {
		call(key: string): ToolCall;
		count(key: string): number | Promise<number>;
	};
	/** Worker deaths under load; 5. */
	readonly kills?: number;
	/** Makes the moments of the kills repeatable. */
	readonly seed?: number;
};

export type ScenarioReport = {
	readonly scenario: string;
	readonly passed: boolean;
	readonly detail: string;
	readonly ms: number;
};

/**
 * Runs the crash, replay and upgrade scenarios on a server of the caller's, under a host. The server needs nothing of
 * this library; a safe call it does not declare as such is declared here.
 */
export async function runScenarios(server: ServerUnderTest): Promise<ScenarioReport[]> {
	const reports: ScenarioReport[] = [];
	for (const [scenario, run] of Object.entries(SCENARIOS)) {
		if (run === takesEffectOnce && server.effect === undefined) continue;
		const began = performance.now();
		const detail = await inSession(server, run).then(
			() => "",
			(error: unknown) => (error instanceof Error ? error.message : String(error)),
		);
		reports.push({ scenario, passed: detail === "", detail, ms: Math.round(performance.now() - began) });
	}
	return reports;
}

type Scenario = (session: TestSession, server: ServerUnderTest) => Promise<void>;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
	"the session survives a worker that is killed while idle": async (session, server) => {
		await succeeds(session, server);
		const before = session.host.health();
		process.kill(await session.worker(), "SIGKILL");
		await succeeds(session, server);
		const after = session.host.health();
		expect(
			after.restartCount === before.restartCount + 1,
			`restartCount: ${before.restartCount} then ${after.restartCount}`,
		);
		expect(after.generation > before.generation, `generation: ${before.generation} then ${after.generation}`);
	},
	"every call under load is answered once although workers are killed": async (session, server) => {
		const { kills = 5, seed = 1 } = server;
		await succeeds(session, server);
		let striking = true;
		const strikes = chaos(() => servingPid(session), {
			times: kills,
			minMs: 20,
			maxMs: 200,
			random: seededRandom(seed),
		}).finally(() => {
			striking = false;
		});
		const answers: Answer[] = [];
		while (striking || answers.length < 200)
			answers.push(...(await load({ calls: 50, inFlight: 25, run: () => safe(session, server) })));
		await strikes;
		const failed = answers.find(({ error }) => error !== undefined && !/exhaust/.test(JSON.stringify(error.data)));
		expect(failed === undefined, `a safe call failed: ${JSON.stringify(failed?.error)}`);
	},
	"an upgrade under load fails no call": async (session, server) => {
		await succeeds(session, server);
		let rolling = true;
		const rollout = session.host.rollout().finally(() => {
			rolling = false;
		});
		const answers: Answer[] = [];
		while (rolling || answers.length < 100)
			answers.push(...(await load({ calls: 20, inFlight: 5, run: () => safe(session, server) })));
		const outcome = await rollout;
		expect(outcome.ok, `the rollout failed: ${outcome.ok ? "" : outcome.fault.detail}`);
		const failed = answers.find(({ error }) => error !== undefined);
		expect(failed === undefined, `a call failed: ${JSON.stringify(failed?.error)}`);
	},
	"a call with an effect takes it at most once although workers are killed": takesEffectOnce,
	"a worker that is stopped is replaced when a call's deadline passes": replacesStopped,
	"health is answered with no worker alive": async (session, server) => {
		await succeeds(session, server);
		process.kill(await session.worker(), "SIGKILL");
		const answer = await within(5_000, session.client.call("holdfast_health"), "holdfast_health");
		expect(answer.error === undefined, `holdfast_health: ${answer.error?.message}`);
		await succeeds(session, server);
	},
	"what is no message is refused and the session goes on": async (session, server) => {
		const { client } = session;
		for (const line of ["not json", "[]", '{"jsonrpc":"2.0","id":null,"method":"x"}', '{"id":1']) client.sendText(line);
		await succeeds(session, server);
		expect(client.anonymousErrors.length > 0, "no line was refused");
	},
};

async function replacesStopped(session: TestSession, server: ServerUnderTest): Promise<void> {
	await succeeds(session, server);
	const stopped = await session.worker();
	process.kill(stopped, "SIGSTOP");
	const { error } = await safe(session, server);
	expect(
		error !== undefined && /"timeout"/.test(JSON.stringify(error.data)),
		`no timeout but ${JSON.stringify(error)}`,
	);
	await succeeds(session, server);
	expect((await session.worker()) !== stopped, "the stopped worker still serves");
}

/** An answer means one effect; an ambiguous outcome none or one; anything else none. */
async function takesEffectOnce(session: TestSession, { effect, kills = 5, seed = 1 }: ServerUnderTest): Promise<void> {
	if (effect === undefined) return;
	const strikes = chaos(() => servingPid(session), {
		times: kills,
		minMs: 20,
		maxMs: 200,
		random: seededRandom(seed + 1),
	});
	const answers = await load({
		calls: 100,
		inFlight: 20,
		run: async (index) => {
			const key = `libmcp-${seed}-${index}`;
			const { tool, arguments: given } = effect.call(key);
			return { key, answer: await within(60_000, session.client.call(tool, given), tool) };
		},
	});
	await strikes;
	for (const { key, answer } of answers) {
		const count = await effect.count(key);
		const ambiguous = /"ambiguous_outcome"/.test(JSON.stringify(answer.error?.data));
		const [least, most] = answer.error === undefined ? [1, 1] : [0, ambiguous ? 1 : 0];
		expect(
			count >= least && count <= most,
			`${key} took effect ${count} times and was answered ${JSON.stringify(answer)}`,
		);
	}
}

async function inSession(server: ServerUnderTest, run: Scenario): Promise<void> {
	const { safeCall, effect: _effect, kills: _kills, seed: _seed, ...options } = server;
	const contract = options.contract ?? {
		tools: { [safeCall.tool]: { effect: { recovery: { kind: "replay_safe" as const } } } },
	};
	const session = await within(
		30_000,
		testSession({
			restarts: { intensity: 1_000 },
			...(run === replacesStopped ? { deadlines: { hardMs: 5_000 } } : {}),
			...options,
			contract,
			opsTools: true,
		}),
		"the handshake",
	);
	try {
		await run(session, server);
		expect(session.client.violations.length === 0, session.client.violations.join("; "));
		expect(session.client.waiting.length === 0, `${session.client.waiting.length} calls were never answered`);
	} finally {
		await session.close();
	}
	const left = await leftovers(session.mark, 3_000);
	expect(left.length === 0, `processes left behind: ${left.join(", ")}`);
}

/** A worker that is still starting has nothing to lose yet. */
function servingPid({ host }: TestSession): number | undefined {
	const { ready, workerPid } = host.state();
	return ready ? workerPid : undefined;
}

function safe({ client }: TestSession, { safeCall }: ServerUnderTest): Promise<Answer> {
	return within(60_000, client.call(safeCall.tool, safeCall.arguments), safeCall.tool);
}

async function succeeds(session: TestSession, server: ServerUnderTest): Promise<void> {
	const { error, result } = await safe(session, server);
	expect(error === undefined, `${server.safeCall.tool}: ${error?.message}`);
	expect(
		result?.isError !== true,
		`${server.safeCall.tool} answered with isError: ${JSON.stringify(result).slice(0, 200)}`,
	);
}

async function within<Value>(ms: number, promise: Promise<Value>, what: string): Promise<Value> {
	const timeout = new AbortController();
	try {
		return await Promise.race([
			promise,
			delay(ms, undefined, { signal: timeout.signal }).then(() => {
				throw new Error(`${what}: no answer within ${ms} ms`);
			}),
		]);
	} finally {
		timeout.abort();
	}
}

function expect(condition: boolean, detail: string): asserts condition {
	if (!condition) throw new Error(detail);
}
