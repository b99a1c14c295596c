import { inRepository } from "../query/inRepository.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";

export const handler: ToolHandler = async ({ path, startLine, endLine }, call) => {
	const { label, root, engine } = await call.repository();
	const named = inRepository(root, String(path));
	const start = typeof startLine === "number" ? startLine : 1;
	const end = typeof endLine === "number" ? endLine : Number.MAX_SAFE_INTEGER;
	const whole = startLine === undefined && endLine === undefined;
	return { repo: label, file: await engine.show(named, whole ? undefined : { start, end }) };
};
