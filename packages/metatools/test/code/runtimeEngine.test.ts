import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import type { CodeEngine } from "../../src/code/engine.ts";
import { createRuntimeEngine } from "../../src/code/runtimeEngine.ts";
import { loadConfig } from "../../src/config/load.ts";
import { execute } from "./catalogue.ts";
import { type FakeDocker, fakeDocker } from "./fakeDocker.ts";

const IMAGE = "node:24-alpine";
const NO_DOCKER = { engine: false, images: [] };
const WITH_DOCKER = { engine: true, images: [IMAGE] };

verifies(
	"004-runtime-profile-standard-docker",
	"a machine with an engine and the image runs code in Docker",
	async (t) => {
		const { engine, docker } = await configured(t, {}, WITH_DOCKER);
		assert.deepEqual(await whereItRan(engine, docker), "docker");
	},
);

verifies(
	["004-runtime-profile-env-profile", "004-runtime-profile-dev"],
	"the unsafe subprocess runs code only when the dev profile is named",
	async (t) => {
		const dev = await configured(t, { METATOOLS_RUNTIME_PROFILE: "dev" }, WITH_DOCKER);
		assert.equal(await whereItRan(dev.engine, dev.docker), "subprocess");
		assert.deepEqual(await dev.docker.calls(), []);
		for (const environment of [{}, { METATOOLS_RUNTIME_PROFILE: "standard" }]) {
			const standard = await configured(t, environment, NO_DOCKER);
			assert.equal(await whereItRan(standard.engine, standard.docker), "wasm");
		}
		assert.throws(
			() => loadConfig({ flags: {}, configFile: "", environment: { METATOOLS_RUNTIME_PROFILE: "prod" } }),
			/METATOOLS_RUNTIME_PROFILE/,
		);
	},
);

verifies(
	"004-runtime-profile-env-backend-wasm",
	"WASM runs code when it is selected, though Docker would answer",
	async (t) => {
		const environment = { METATOOLS_RUNTIME_BACKEND: "wasm", METATOOLS_WASM_ENABLED: "true" };
		const { engine, docker } = await configured(t, environment, WITH_DOCKER);
		assert.equal(await whereItRan(engine, docker), "wasm");
		assert.deepEqual(await docker.calls(), []);
	},
);

verifies(
	["004-runtime-profile-env-wasm-enabled", "004-runtime-profile-no-sandbox-no-run"],
	"with WASM disabled nothing runs on it, selected or not, and nothing falls back to the subprocess",
	async (t) => {
		const expected = new Map([
			["wasm", "No sandbox is available: runtime.backend is wasm but wasm.enabled is false."],
			["docker", "No sandbox is available: no Docker engine answers, and wasm.enabled is false."],
		]);
		for (const [backend, message] of expected) {
			const environment = { METATOOLS_RUNTIME_BACKEND: backend, METATOOLS_WASM_ENABLED: "false" };
			const { engine } = await configured(t, environment, NO_DOCKER);
			const { value, error, warning } = await execute(engine, "1 + 1");
			assert.deepEqual([value, error?.code, error?.message, warning], [null, "no_backends", message, undefined]);
		}
	},
);

verifies(
	"004-runtime-profile-docker-fallback-wasm",
	"code runs on WASM when no engine answers or the image is not there, and nothing is pulled",
	async (t) => {
		for (const state of [NO_DOCKER, { engine: true, images: ["other:1"] }]) {
			const { engine, docker } = await configured(t, { METATOOLS_RUNTIME_BACKEND: "docker" }, state);
			assert.equal(await whereItRan(engine, docker), "wasm");
			assert.deepEqual(
				(await docker.calls()).filter(([verb]) => verb === "run" || verb === "pull"),
				[],
			);
		}
	},
);

void test("the engine is looked for once, not before every run", async (t) => {
	const { engine, docker } = await configured(t, {}, NO_DOCKER);
	await Promise.all([execute(engine, "1"), execute(engine, "2"), execute(engine, "3")]);
	assert.equal((await docker.calls()).length, 1);
});

async function configured(
	t: TestContext,
	environment: Record<string, string>,
	state: Parameters<typeof fakeDocker>[0],
): Promise<{ engine: CodeEngine; docker: FakeDocker }> {
	const docker = await fakeDocker(state);
	const { settings } = loadConfig({ flags: {}, configFile: "", environment });
	const engine = createRuntimeEngine(settings, { dockerCommand: docker.command });
	t.after(async () => {
		await engine.close?.();
		await docker.remove();
	});
	return { engine, docker };
}

/** Told by what the code sees, not by what the engine says of itself. */
async function whereItRan(engine: CodeEngine, docker: FakeDocker): Promise<string> {
	const { value, error, warning } = await execute(engine, "typeof process");
	assert.equal(error, undefined);
	if (value === "undefined") return "wasm";
	if (warning?.startsWith("UNSAFE")) return "subprocess";
	return (await docker.calls()).some(([verb]) => verb === "run") ? "docker" : "unknown";
}
