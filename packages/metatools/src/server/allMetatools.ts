import type { CodeEngine } from "../contract/codeEngine.ts";
import { describingMetatools } from "./describing.ts";
import { executeCodeMetatool } from "./executeCode.ts";
import type { GatewayParts } from "./gatewayParts.ts";
import { listingMetatools } from "./listing.ts";
import type { Metatool } from "./metatool.ts";
import { readResultMetatool } from "./readResult.ts";
import { runChainMetatool } from "./runChainTool.ts";
import { runToolMetatool } from "./runTool.ts";
import { skillMetatools } from "./skillTools.ts";
import { toolsetMetatools } from "./toolsetTools.ts";

/** The gateway's own tools, in the order in which they are listed. */
export function metatoolsOf(gateway: GatewayParts, codeEngine: CodeEngine | undefined): readonly Metatool[] {
	return [
		...listingMetatools(gateway),
		...describingMetatools(gateway),
		...[runToolMetatool(gateway), runChainMetatool(gateway), readResultMetatool(gateway)],
		...toolsetMetatools(gateway),
		...skillMetatools(gateway),
		...(codeEngine !== undefined && gateway.settings.code ? [executeCodeMetatool(gateway, codeEngine)] : []),
	];
}
