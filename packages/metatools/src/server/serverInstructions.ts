import { cutText, toPlainBlock } from "../catalog/text.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { approveInstructions } from "../quarantine/quarantine.ts";
import type { GatewayParts } from "./gatewayParts.ts";

const MOST_CHARS = 2_000;

/** What a tool's server says about the use of its tools, as far as it is approved, short enough to stand beside the tool. */
export function serverInstructions(
	{ catalog, quarantine }: Pick<GatewayParts, "catalog" | "quarantine">,
	tool: CatalogTool,
): string | undefined {
	const text = approveInstructions({ catalog, quarantine }, tool, catalog.instructionsOf(tool.namespace));
	return text === undefined ? undefined : cutText(toPlainBlock(text), MOST_CHARS);
}
