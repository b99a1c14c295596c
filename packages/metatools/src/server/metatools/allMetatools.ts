import type { CodeEngine } from "../../contract/codeEngine.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import type { Metatool } from "../metatool.ts";
import { createDescribingTools } from "./describing.ts";
import { createExecuteCode } from "./executeCode.ts";
import { createListingTools } from "./listing.ts";
import { createReadResult } from "./resourceLinks.ts";
import { createRunChain } from "./runChainTool.ts";
import { createRunTool } from "./runTool.ts";
import { createSkillTools } from "./skillTools.ts";
import { createToolsetTools } from "./toolsetTools.ts";

/** The gateway's own tools, in the order in which they are listed. */
export function createMetatools(gateway: GatewayParts, codeEngine: CodeEngine | undefined): readonly Metatool[] {
	return [
		...createListingTools(gateway),
		...createDescribingTools(gateway),
		...[createRunTool(gateway), createRunChain(gateway), createReadResult(gateway)],
		...createToolsetTools(gateway),
		...createSkillTools(gateway),
		...(codeEngine !== undefined && gateway.settings.code ? [createExecuteCode(gateway, codeEngine)] : []),
	];
}
