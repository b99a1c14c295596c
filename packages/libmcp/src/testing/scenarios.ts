import { applyLoad, createRandom, injectChaos } from "./chaos.ts";
import type { Answer } from "./testClient.ts";
import { findLeftovers, type TestSession, type TestSessionOptions, testSession, waitWithin } from "./testSession.ts";

/** A tool and its arguments. */
export type ToolCall = { readonly tool: string; readonly arguments?: Record<string, unknown> };

/** The server to test, and calls that it accepts. */
export type ServerUnderTest = TestSessionOptions & {
	/** A call that may be repeated and must succeed: the scenarios send many. */
	readonly safeCall: ToolCall;
	/** A call that must never take effect twice, and how to count its effects. Without it, that scenario is skipped. */
	readonly effect?: {
		call(key: string): ToolCall;
		count(key: string): number | Promise<number>;
	};
	/** How often to kill the worker under load; 5 by default. */
	readonly kills?: number;
	/** Makes the moments of the kills repeatable. */
	readonly seed?: number;
	/** Called after each scenario; all of them take about half a minute. */
	readonly onReport?: (report: ScenarioReport) => void;
};

/** How one scenario ended. */
export type ScenarioReport = {
	readonly scenario: string;
	readonly passed: boolean;
	/** What went wrong, with the last fault and the last lines of the server's stderr. */
	readonly detail: string;
	readonly ms: number;
};

type Scenario = {
	readonly name: string;
	/** The scenario's host options, unless the caller sets others. */
	readonly options?: Pick<TestSessionOptions, "restarts" | "deadlines">;
	readonly countsEffects?: true;
	readonly run: (session: TestSession, server: ServerUnderTest) => Promise<void>;
};

/** The deaths that the scenarios cause must not open the breaker. */
const PATIENT = { restarts: { intensity: 1_000 } } as const;

export const SCENARIOS: readonly Scenario[] = [
	{ name: "the server starts and answers its safe call", options: { restarts: { intensity: 0 } }, run: succeeds },
	{
		name: "the session survives a worker that is killed while idle",
		options: PATIENT,
		async run(session, server) {
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
	},
	{
		name: "every call under load is answered once although workers are killed",
		options: PATIENT,
		async run(session, server) {
			await succeeds(session, server);
			const strikes = strike(session, server.kills, server.seed);
			const answers = await callsUntil(strikes, 200, { calls: 50, inFlight: 25, run: () => safe(session, server) });
			const failed = answers.find(({ error }) => error !== undefined && !/exhaust/.test(JSON.stringify(error.data)));
			expect(failed === undefined, `a safe call failed: ${JSON.stringify(failed?.error)}`);
		},
	},
	{
		name: "an upgrade under load fails no call",
		options: PATIENT,
		async run(session, server) {
			await succeeds(session, server);
			const rollout = session.host.rollout();
			const answers = await callsUntil(rollout, 100, { calls: 20, inFlight: 5, run: () => safe(session, server) });
			const outcome = await rollout;
			expect(outcome.ok, `the rollout failed: ${outcome.ok ? "" : outcome.fault.detail}`);
			const failed = answers.find(({ error }) => error !== undefined);
			expect(failed === undefined, `a call failed: ${JSON.stringify(failed?.error)}`);
		},
	},
	{
		name: "a call with an effect takes it at most once although workers are killed",
		options: PATIENT,
		countsEffects: true,
		run: takesEffectOnce,
	},
	{
		name: "a worker that is stopped is replaced when a call's deadline passes",
		// The inactivity limit does not run while a worker starts, which takes some servers longer.
		options: { ...PATIENT, deadlines: { inactivityMs: 5_000 } },
		async run(session, server) {
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
		},
	},
	{
		name: "health is answered with no worker alive",
		options: PATIENT,
		async run(session, server) {
			await succeeds(session, server);
			process.kill(await session.worker(), "SIGKILL");
			const answer = await waitWithin(5_000, session.client.call("holdfast_health"), "holdfast_health");
			expect(answer.error === undefined, `holdfast_health: ${answer.error?.message}`);
			await succeeds(session, server);
		},
	},
	{
		name: "a line that is no message is refused and the session goes on",
		options: PATIENT,
		async run(session, server) {
			const { client } = session;
			for (const line of ["not json", "[]", '{"jsonrpc":"2.0","id":null,"method":"x"}', '{"id":1'])
				client.sendText(line);
			await succeeds(session, server);
			expect(client.anonymousErrors.length > 0, "no line was refused");
		},
	},
];

/** Checks that each answered call took effect once, each ambiguous one at most once, and any other never. */
async function takesEffectOnce(session: TestSession, { effect, kills, seed = 1 }: ServerUnderTest): Promise<void> {
	if (effect === undefined) return;
	const strikes = strike(session, kills, seed + 1);
	const answers = await applyLoad({
		calls: 100,
		inFlight: 20,
		run: async (index) => {
			const key = `libmcp-${seed}-${index}`;
			const { tool, arguments: given } = effect.call(key);
			return { key, answer: await waitWithin(60_000, session.client.call(tool, given), tool) };
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

/** Waits for a worker that is ready: one that is still starting has nothing to lose. */
async function strike({ host }: TestSession, times = 5, seed = 1): Promise<void> {
	const serving = (): number | undefined => {
		const { ready, workerPid } = host.state();
		return ready ? workerPid : undefined;
	};
	await injectChaos(serving, { times, minMs: 20, maxMs: 200, random: createRandom(seed) });
}

/** Sends calls for as long as something else goes on, and at least that many. */
async function callsUntil(
	over: Promise<unknown>,
	least: number,
	round: Parameters<typeof applyLoad<Answer>>[0],
): Promise<Answer[]> {
	let isOver = false;
	const ended = over.finally(() => {
		isOver = true;
	});
	const answers: Answer[] = [];
	while (!isOver || answers.length < least) answers.push(...(await applyLoad(round)));
	await ended;
	return answers;
}

async function succeeds(session: TestSession, server: ServerUnderTest): Promise<void> {
	const { error, result } = await safe(session, server);
	expect(error === undefined, `${server.safeCall.tool}: ${error?.message}`);
	expect(
		result?.isError !== true,
		`${server.safeCall.tool} answered with isError: ${JSON.stringify(result).slice(0, 200)}`,
	);
}

function safe({ client }: TestSession, { safeCall }: ServerUnderTest): Promise<Answer> {
	return waitWithin(60_000, client.call(safeCall.tool, safeCall.arguments), safeCall.tool);
}

function expect(condition: boolean, detail: string): asserts condition {
	if (!condition) throw new Error(detail);
}

/**
 * Runs the crash, replay and upgrade scenarios on any server, under a host. The server needs nothing from this library;
 * `safeCall` is declared safe here if the server does not do so.
 */
export async function runScenarios(server: ServerUnderTest): Promise<ScenarioReport[]> {
	const reports: ScenarioReport[] = [];
	for (const scenario of SCENARIOS) {
		if (scenario.countsEffects === true && server.effect === undefined) continue;
		const began = performance.now();
		const detail = await inSession(server, scenario).then(
			() => "",
			(error: unknown) => (error instanceof Error ? error.message : String(error)),
		);
		const passed = detail === "";
		const report = { scenario: scenario.name, passed, detail, ms: Math.round(performance.now() - began) };
		reports.push(report);
		server.onReport?.(report);
		// If the first scenario fails, the others would fail for the same reason.
		if (scenario === SCENARIOS[0] && !passed) break;
	}
	return reports;
}

async function inSession(server: ServerUnderTest, scenario: Scenario): Promise<void> {
	const { safeCall, effect: _effect, kills: _kills, seed: _seed, onReport: _onReport, ...options } = server;
	const session = await testSession({
		...scenario.options,
		...options,
		restarts: { ...scenario.options?.restarts, ...options.restarts },
		contract: options.contract ?? {
			tools: { [safeCall.tool]: { effect: { recovery: { kind: "replay_safe" } } } },
		},
		opsTools: true,
	});
	try {
		await scenario.run(session, server);
		expect(session.client.violations.length === 0, session.client.violations.join("; "));
		expect(session.client.waiting.length === 0, `${session.client.waiting.length} calls were never answered`);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		throw new Error(`${message}${session.trouble()}`, { cause: error });
	} finally {
		await session.close();
	}
	const left = await findLeftovers(session.mark, 3_000);
	expect(left.length === 0, `processes left behind: ${left.join(", ")}`);
}
