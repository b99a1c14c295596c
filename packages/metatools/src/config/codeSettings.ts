import type { Setting } from "./setting.ts";

/** Settings for the sandbox of execute_code. */
export const CODE_SETTINGS = {
	code: {
		key: "code.enabled",
		env: "METATOOLS_CODE_ENABLED",
		flag: "code",
		kind: { type: "boolean" },
		default: true,
		says: "offer execute_code",
	},
	runtimeProfile: {
		key: "runtime.profile",
		env: "METATOOLS_RUNTIME_PROFILE",
		flag: "runtime-profile",
		kind: { type: "choice", choices: ["standard", "dev"] },
		default: "standard",
		says: "isolation of execute_code; dev has none",
	},
	runtimeBackend: {
		key: "runtime.backend",
		env: "METATOOLS_RUNTIME_BACKEND",
		flag: "runtime-backend",
		kind: { type: "choice", choices: ["docker", "wasm"] },
		default: "docker",
		says: "sandbox of the standard profile",
	},
	wasm: {
		key: "wasm.enabled",
		env: "METATOOLS_WASM_ENABLED",
		flag: "wasm",
		kind: { type: "boolean" },
		default: true,
		says: "allow the WASM sandbox, also when Docker is absent",
	},
	dockerImage: {
		key: "docker.image",
		env: "METATOOLS_DOCKER_IMAGE",
		flag: "docker-image",
		kind: { type: "text" },
		default: "node:24-alpine",
		says: "image of the Docker sandbox",
	},
} as const satisfies Readonly<Record<string, Setting>>;
