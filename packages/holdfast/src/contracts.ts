import { ENDPOINTS } from "./api/endpoints.ts";
import { openapi } from "./api/openapi.ts";

/** The description of the HTTP API that callers may rely on, frozen under `contracts`. */
export function contracts(): Record<string, unknown> {
	return { "openapi.json": openapi(ENDPOINTS, "1") };
}
