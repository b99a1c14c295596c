import type { TreeLimits } from "./flatTree.ts";

/** A file beyond these limits is generated or hostile, and is chunked by lines. */
export const MAX_TEXT = 1_500_000;
export const LIMITS: TreeLimits = { nodes: 2_000_000, depth: 2_000 };
