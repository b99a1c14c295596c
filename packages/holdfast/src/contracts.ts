import { describeApi, ENDPOINTS } from "./api/openapi.ts";
import { FAULTS } from "./up/controlSockets.ts";

/** The HTTP API and the fault codes that callers may rely on, frozen under `contracts`. */
export function contracts(): Record<string, unknown> {
	return { "openapi.json": describeApi(ENDPOINTS, "1"), "fault-codes.json": FAULTS };
}
