import { basename } from "node:path";
import { indexFolder } from "../store/indexFolder.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";
import { cacheEntries, removeEntry } from "./cacheEntries.ts";

export const handler: ToolHandler<"clean_artifacts"> = async (args, { workspace, signal }) => {
	const { label, root } = workspace.locate(args.repoPath);
	const own = basename(indexFolder(workspace.cacheRoot, root).path);
	const removals: { id: string; bytes: number; outcome: "would_go" | "removed" | "in_use" }[] = [];
	for (const entry of cacheEntries(workspace.cacheRoot)) {
		signal.throwIfAborted();
		if (args.all !== true && entry.id !== own) continue;
		removals.push({
			id: entry.id,
			bytes: entry.bytes,
			outcome: args.dryRun === true ? "would_go" : await removeEntry(entry),
		});
	}
	const freedBytes = removals.filter(({ outcome }) => outcome === "removed").reduce((sum, { bytes }) => sum + bytes, 0);
	return { repo: label, removals, freedBytes, dryRun: args.dryRun === true };
};
