import { contractOf, effectOfTool } from "libmcp";
import type { CatalogTool } from "../catalog/tool.ts";
import type { JsonObject } from "../contract/json.ts";

/** Whether a call that may have taken effect can be made again without harm, as its tool declares. */
export function isRepeatable({ definition }: CatalogTool, args: JsonObject): boolean {
	return contractOf(effectOfTool(definition).recovery, () => args) === "convergent";
}

/** The end of a message about a call that is not repeatable. */
export const IN_DOUBT = "; it may or may not have taken effect, so check before repeating it";
