import { entryOf } from "../catalog/catalog.ts";
import { cut, plainBlock } from "../catalog/text.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { formatToolId } from "../catalog/toolId.ts";
import { LOCAL_VIEWER } from "../run/access.ts";
import type { GatewayParts } from "./gatewayParts.ts";

const MOST_CHARS = 2_000;
/** The name under which instructions are approved, as if they were the description of a tool. */
const NAME = "server_instructions";

/**
 * What a tool's server says about the use of its tools, under the same quarantine as their descriptions. If it changed since
 * it was approved, says that instead, and how a person can approve it.
 */
export function serverInstructions(
	{ catalog, quarantine }: Pick<GatewayParts, "catalog" | "quarantine">,
	{ namespace, backend }: CatalogTool,
): string | undefined {
	const text = catalog.instructionsOf(namespace)?.trim();
	const id = formatToolId(namespace, NAME);
	if (text === undefined || text === "" || catalog.get(id) !== undefined) return undefined;
	const definition = { name: NAME, description: text };
	const said = entryOf({ definition, id, name: NAME }, namespace, backend);
	const verdict = quarantine?.check(said, LOCAL_VIEWER);
	if (verdict?.kind === "refuse") {
		quarantine?.hold(said);
		return verdict.reason;
	}
	quarantine?.release(id);
	return cut(plainBlock(text), MOST_CHARS);
}
