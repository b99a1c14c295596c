import { cut, plainBlock } from "../catalog/text.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { approvedInstructions } from "../quarantine/approvedInstructions.ts";
import type { GatewayParts } from "./gatewayParts.ts";

const MOST_CHARS = 2_000;

/** What a tool's server says about the use of its tools, as far as it is approved, short enough to stand beside the tool. */
export function serverInstructions(
	{ catalog, quarantine }: Pick<GatewayParts, "catalog" | "quarantine">,
	tool: CatalogTool,
): string | undefined {
	const text = approvedInstructions({ catalog, quarantine }, tool, catalog.instructionsOf(tool.namespace));
	return text === undefined ? undefined : cut(plainBlock(text), MOST_CHARS);
}
