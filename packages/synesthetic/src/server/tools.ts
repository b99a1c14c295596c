import { CONTRACT_TOOLS } from "./contractTools.ts";
import { EXTRA_TOOLS } from "./extraTools.ts";
import type { ToolName } from "./recoveries.ts";
import type { Tool } from "./tool.ts";

// Typed so that the compiler rejects a tool without a recovery and a recovery without a tool.
const ALL: Readonly<Record<ToolName, Tool>> = { ...CONTRACT_TOOLS, ...EXTRA_TOOLS };

/** All tools by name, contract first. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(Object.entries(ALL));
