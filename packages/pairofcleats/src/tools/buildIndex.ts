import type { BuildReport } from "../index/build.ts";
import type { ToolArgumentsOf } from "../registry/toolTypes.ts";
import type { ToolCall, ToolHandler } from "../workspace/toolCall.ts";
import type { OpenedRepository } from "../workspace/workspace.ts";

export const handler: ToolHandler<"build_index"> = async (args, call) => {
	const repository = await call.repository();
	return { repo: repository.label, build: await build(args, call, repository) };
};

/** Builds in a child process, which the call's signal ends. */
export function build(
	{ incremental, blame }: Pick<ToolArgumentsOf<"build_index">, "incremental" | "blame">,
	call: ToolCall,
	{ engine }: OpenedRepository,
): Promise<BuildReport> {
	const options = typeof blame === "boolean" ? { blame } : {};
	const start = incremental === true ? engine.updateIndex : engine.buildIndex;
	return start(options, (progress) => call.progress(progress), call.signal);
}
