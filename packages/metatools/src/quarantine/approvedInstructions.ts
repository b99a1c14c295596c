import { type Catalog, entryOf } from "../catalog/catalog.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { formatToolId } from "../catalog/toolId.ts";
import { LOCAL_VIEWER } from "../run/access.ts";
import type { Quarantine } from "./quarantine.ts";

/** The name under which instructions are approved, as if they were the description of a tool. */
const NAME = "server_instructions";

/**
 * What a server says about the use of its tools, under the same quarantine as their descriptions. If it changed since it
 * was approved, says that instead, and how a person can approve it.
 */
export function approvedInstructions(
	{ catalog, quarantine }: { readonly catalog: Catalog; readonly quarantine: Quarantine | undefined },
	{ namespace, backend }: Pick<CatalogTool, "namespace" | "backend">,
	instructions: string | undefined,
): string | undefined {
	const text = instructions?.trim();
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
	return text;
}
