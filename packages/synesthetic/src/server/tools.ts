import { CONTRACT_TOOLS } from "./contractTools.ts";
import { EXTRA_TOOLS } from "./extraTools.ts";
import type { ToolName } from "./recoveries.ts";
import type { Tool } from "./tool.ts";

// Written out, so that a tool without a declared recovery does not compile, nor a recovery without its tool.
const ALL: Readonly<Record<ToolName, Tool>> = { ...CONTRACT_TOOLS, ...EXTRA_TOOLS };

/** All tools by name, contract first. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(Object.entries(ALL));
