export const runtimeProfiles = ["standard", "dev"] as const;
export const runtimeBackends = ["docker", "wasm"] as const;

/** How code is to be isolated, as configured. The unsafe profile is used only when it is named. */
export type RuntimeSettings = {
	readonly profile: (typeof runtimeProfiles)[number];
	readonly backend: (typeof runtimeBackends)[number];
	readonly wasmEnabled: boolean;
	readonly dockerImage: string;
};

export const defaultRuntimeSettings: RuntimeSettings = {
	profile: "standard",
	backend: "docker",
	wasmEnabled: true,
	dockerImage: "node:24-alpine",
};
