import { accept, type Normalized, refuse } from "../normalize/normalized.ts";

/** `porcelain`: short lines for people and models. `json`: the value itself. */
export const RENDER_MODES = ["porcelain", "json"] as const;
export type RenderMode = (typeof RENDER_MODES)[number];

/** The mode a call asked for, or the tool's default when it asked for none. */
export function selectRenderMode(argument: unknown, fallback: RenderMode = "porcelain"): Normalized<RenderMode> {
	if (argument === undefined) return accept(fallback);
	const mode = RENDER_MODES.find((each) => each === argument);
	return mode === undefined ? refuse("unknown", "render", `one of ${RENDER_MODES.join(", ")}`, argument) : accept(mode);
}

/** The property that a tool adds to its input schema; its own detail argument stays separate. */
export function renderModeSchema(fallback: RenderMode = "porcelain"): Readonly<Record<string, unknown>> {
	return {
		type: "string",
		enum: [...RENDER_MODES],
		default: fallback,
		description: "porcelain: short text made for reading; json: the same data in full.",
	};
}
