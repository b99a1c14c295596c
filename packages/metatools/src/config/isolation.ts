import type { Settings } from "./settings.ts";

type IsolationSettings = Pick<Settings, "runtimeProfile" | "runtimeBackend" | "wasm">;

/** Why the settings leave no sandbox for code, or undefined if they leave one. */
export function noSandbox({ runtimeProfile, runtimeBackend, wasm }: IsolationSettings): string | undefined {
	return runtimeProfile === "standard" && runtimeBackend === "wasm" && !wasm
		? "runtime.backend is wasm but wasm.enabled is false"
		: undefined;
}

/** What must be there for code to run, where the settings leave nothing to fall back to. */
export function neededForCode({ runtimeProfile, runtimeBackend, wasm }: IsolationSettings): string | undefined {
	return runtimeProfile === "standard" && runtimeBackend === "docker" && !wasm
		? "a Docker engine on this machine, as the WASM sandbox is disabled"
		: undefined;
}
