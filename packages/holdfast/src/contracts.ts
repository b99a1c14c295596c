import { ENDPOINTS } from "./api/endpoints.ts";
import { openapi } from "./api/openapi.ts";
import { FAULTS } from "./up/faultTable.ts";

/** The HTTP API and the fault codes that callers may rely on, frozen under `contracts`. */
export function contracts(): Record<string, unknown> {
	return { "openapi.json": openapi(ENDPOINTS, "1"), "fault-codes.json": FAULTS };
}
