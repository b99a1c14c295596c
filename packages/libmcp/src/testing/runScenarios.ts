import { leftovers } from "./leftovers.ts";
import { expect, SCENARIOS, type Scenario, type ScenarioReport, type ServerUnderTest } from "./scenarios.ts";
import { testSession } from "./testSession.ts";

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
	const left = await leftovers(session.mark, 3_000);
	expect(left.length === 0, `processes left behind: ${left.join(", ")}`);
}
