import type { ToolHandler } from "../workspace/toolCall.ts";

export const handler: ToolHandler<"workspace_status"> = async (_args, { workspace, signal }) => {
	const repositories: Record<string, unknown>[] = [];
	for (const root of workspace.repositories) {
		signal.throwIfAborted();
		const engine = await workspace.engine(root);
		const { indexed, files, chunks, stale, building, builtAt, branch } = await engine.status();
		repositories.push({
			repo: workspace.nameOf(root),
			default: repositories.length === 0,
			index: { indexed, files, chunks, stale, building, ...(builtAt && { builtAt }), ...(branch && { branch }) },
		});
	}
	return { repositories };
};
