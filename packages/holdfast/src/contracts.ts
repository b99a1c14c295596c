import { ENDPOINTS } from "./api/endpoints.ts";
import { openapi } from "./api/openapi.ts";

/** What callers of the HTTP API may rely on. */
export function contracts(): Record<string, unknown> {
	return { "openapi.json": openapi(ENDPOINTS, "1") };
}
