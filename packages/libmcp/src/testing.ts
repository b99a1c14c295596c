export {
	applyLoad as load,
	type ChaosOptions,
	createRandom as seededRandom,
	injectChaos as chaos,
	type LoadOptions,
} from "./testing/chaos.ts";
export { type EffectLine, EffectLog } from "./testing/effectLog.ts";
export {
	FIXTURE_CONTRACT,
	FIXTURE_FAILURES,
	type FixtureArguments,
	type FixtureCommand,
	type FixtureConfig,
	type FixtureFailure,
	type FixtureStartup,
	fixtureCommand,
} from "./testing/fixtureConfig.ts";
export { runScenarios, type ScenarioReport, type ServerUnderTest, type ToolCall } from "./testing/scenarios.ts";
export {
	type Answer,
	type AnswerError,
	TestClient,
	type TestClientOptions,
	type TestStreams,
} from "./testing/testClient.ts";
export {
	createSessionMark as sessionMark,
	findLeftovers as leftovers,
	type SessionMark,
	type TestSession,
	type TestSessionOptions,
	testSession,
} from "./testing/testSession.ts";
