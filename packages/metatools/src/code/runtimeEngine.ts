import { explainNoSandbox } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import { createDockerEngine, type DockerState, probeDocker } from "./child/dockerEngine.ts";
import { createSubprocessEngine } from "./child/subprocessEngine.ts";
import { type CodeEngine, type CodeLimits, codeLanguages } from "./engine.ts";
import { createCodeError } from "./session/codeError.ts";
import { createWasmEngine } from "./wasm/wasmEngine.ts";

/** How code is to be isolated, as configured. */
export type RuntimeSettings = Pick<Settings, "runtimeProfile" | "runtimeBackend" | "wasm" | "dockerImage">;

export type RuntimeEngineOptions = {
	readonly limits?: Partial<CodeLimits>;
	readonly seed?: number;
	/** The Docker client; by default `docker` on the path. */
	readonly dockerCommand?: string;
};

/** How long a choice holds before Docker is probed again, as it may come and go. */
const CHOICE_MS = 60_000;

type Choice = { readonly use: "subprocess" | "docker" | "wasm" } | { readonly use: "none"; readonly why: string };

/** The engine the settings ask for. Docker is probed at the first run, so that it does not delay the start. */
export function createRuntimeEngine(settings: RuntimeSettings, options: RuntimeEngineOptions = {}): CodeEngine {
	const made = new Map<string, CodeEngine>();
	let chosen: { readonly choice: Promise<Choice>; readonly until: number } | undefined;
	const probe = (): Promise<DockerState> => probeDocker(settings.dockerImage, options.dockerCommand);
	const current = (): Promise<Choice> => {
		if (chosen === undefined || performance.now() > chosen.until)
			chosen = { choice: chooseRuntime(settings, probe), until: performance.now() + CHOICE_MS };
		return chosen.choice;
	};
	const engineFor = (use: "subprocess" | "docker" | "wasm"): CodeEngine => {
		const known = made.get(use) ?? newEngine(use, settings, options);
		made.set(use, known);
		return known;
	};
	return {
		name: settings.runtimeProfile === "dev" ? "subprocess" : settings.runtimeBackend,
		languages: codeLanguages,
		execute: async (request, tools) => {
			const choice = await current();
			if (choice.use === "none") return nothingRan(choice.why);
			return engineFor(choice.use).execute(request, tools);
		},
		close: async () => {
			await Promise.all([...made.values()].map((engine) => engine.close?.()));
		},
	};
}

/** Chooses the engine. The `standard` profile never leads to the unsafe subprocess. */
async function chooseRuntime(settings: RuntimeSettings, probe: () => Promise<DockerState>): Promise<Choice> {
	const { runtimeProfile, runtimeBackend, wasm } = settings;
	const why = explainNoSandbox(settings);
	if (why !== undefined) return { use: "none", why };
	if (runtimeProfile === "dev") return { use: "subprocess" };
	if (runtimeBackend === "wasm") return { use: "wasm" };
	const docker = await probe();
	if (docker.ok) return { use: "docker" };
	if (wasm) return { use: "wasm" };
	return { use: "none", why: `${docker.why}, and wasm.enabled is false` };
}

function newEngine(
	use: "subprocess" | "docker" | "wasm",
	{ dockerImage }: RuntimeSettings,
	{ dockerCommand, ...options }: RuntimeEngineOptions,
): CodeEngine {
	switch (use) {
		case "subprocess":
			return createSubprocessEngine(options);
		case "docker":
			return createDockerEngine({
				...options,
				image: dockerImage,
				...(dockerCommand === undefined ? {} : { command: dockerCommand }),
			});
		case "wasm":
			return createWasmEngine(options);
	}
}

function nothingRan(why: string): Awaited<ReturnType<CodeEngine["execute"]>> {
	const error = createCodeError("sandbox", `No sandbox is available: ${why}.`);
	return { value: null, stdout: "", stderr: "", durationMs: 0, toolCalls: [], error };
}
