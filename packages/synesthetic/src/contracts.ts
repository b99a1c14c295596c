import { listTools, RESOURCE_TEMPLATES } from "./server/dispatch/mcpDispatcher.ts";
import { VARIABLES } from "./settings.ts";

/** What clients may rely on, frozen under contracts/. */
export function contracts(): Record<string, unknown> {
	return {
		"tools.json": listTools(),
		"resourceTemplates.json": RESOURCE_TEMPLATES,
		"environment.json": VARIABLES,
	};
}
