import type { ToolHandler } from "../workspace/toolCall.ts";

export const handler: ToolHandler<"index_status"> = async (_args, call) => {
	const { label, engine } = await call.repository();
	// The comparison with the disk was made for this answer, so its time is the envelope's.
	const { checkedAt: _, ...status } = await engine.status();
	return { repo: label, status };
};
