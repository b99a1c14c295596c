import { toolList } from "./server/mcpDispatcher.ts";
import { RESOURCE_TEMPLATES } from "./server/resources.ts";
import { VARIABLES } from "./settings.ts";

/** What clients may rely on, frozen under contracts/. */
export function contracts(): Record<string, unknown> {
	return {
		"tools.json": toolList(),
		"resourceTemplates.json": RESOURCE_TEMPLATES,
		"environment.json": VARIABLES,
	};
}
