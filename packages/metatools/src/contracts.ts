import { createFileSchema } from "./config/fileSchema.ts";
import { SETTINGS } from "./config/settings.ts";
import type { CodeEngine } from "./contract/codeEngine.ts";
import { ERROR_CODES } from "./contract/errors.ts";
import { Gateway } from "./server/gateway.ts";
import { declareMetatool } from "./server/serving/dispatcher.ts";
import { FAULTS } from "./upstream/failure/connectFailure.ts";

// The interface of execute_code does not depend on the engine, so a stub will do.
const ANY_ENGINE: CodeEngine = {
	name: "any",
	languages: ["javascript", "typescript"],
	execute: async () => ({ value: null, stdout: "", stderr: "", durationMs: 0, toolCalls: [] }),
};

/** What clients and configurations depend on, as values to be frozen. */
export function contracts(): Record<string, unknown> {
	const gateway = new Gateway({ codeEngine: ANY_ENGINE });
	return {
		"tools.json": gateway.metatools.map(declareMetatool),
		"errors.json": ERROR_CODES,
		"fault-codes.json": FAULTS,
		"settings.json": Object.values(SETTINGS).map(({ key, env, flag, kind, default: standard }) => ({
			key,
			env,
			flag,
			kind,
			default: standard,
		})),
		"config.schema.json": createFileSchema(),
	};
}
