import type { ToolHandler } from "./tool.ts";

export const handler: ToolHandler = async (_args, call) => {
	const { label, engine } = await call.repository();
	return { repo: label, status: await engine.status() };
};
