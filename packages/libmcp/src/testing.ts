export { type ChaosOptions, chaos, type LoadOptions, load, seededRandom } from "./testing/chaos.ts";
export { type EffectLine, EffectLog } from "./testing/effectLog.ts";
export { type FixtureCommand, fixtureCommand } from "./testing/fixtureCommand.ts";
export {
	FIXTURE_FAILURES,
	type FixtureArguments,
	type FixtureConfig,
	type FixtureFailure,
	type FixtureStartup,
} from "./testing/fixtureConfig.ts";
export { FIXTURE_CONTRACT } from "./testing/fixtureTools.ts";
export { leftovers, type SessionMark, sessionMark } from "./testing/leftovers.ts";
export { runScenarios } from "./testing/runScenarios.ts";
export type { ScenarioReport, ServerUnderTest, ToolCall } from "./testing/scenarios.ts";
export {
	type Answer,
	type AnswerError,
	TestClient,
	type TestClientOptions,
	type TestStreams,
} from "./testing/testClient.ts";
export { type TestSession, type TestSessionOptions, testSession } from "./testing/testSession.ts";
