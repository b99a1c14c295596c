import type { TreeLimits } from "./flatTree.ts";

/** Beyond these a file is generated or hostile, and lines serve it as well. */
export const MAX_TEXT = 1_500_000;
export const LIMITS: TreeLimits = { nodes: 2_000_000, depth: 2_000 };
