import type { ToolHandler } from "./tool.ts";

export const handler: ToolHandler = async ({ path, startLine, endLine }, call) => {
	const { label, engine } = await call.repository();
	const start = typeof startLine === "number" ? startLine : 1;
	const end = typeof endLine === "number" ? endLine : Number.MAX_SAFE_INTEGER;
	const whole = startLine === undefined && endLine === undefined;
	return { repo: label, file: await engine.show(String(path), whole ? undefined : { start, end }) };
};
