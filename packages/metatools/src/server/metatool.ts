import type { Recovery } from "libmcp";
import { cutText } from "../catalog/text.ts";
import { ToolError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Viewer } from "../run/access.ts";
import type { BackendCall } from "../run/backend.ts";
import type { RunRequest } from "../run/runner.ts";
import type { RunProgress } from "./serving/askingRounds.ts";

/** What a metatool answers, before it is rendered and fitted into the caller's budget. */
export type Output = {
	readonly data: JsonObject;
	/** Members of the data that are sent only if they fit beside the rest. */
	readonly extra?: JsonObject;
	/** The data with them, where they are not simply added to it. */
	readonly dataWithExtra?: JsonObject;
	/** The data as short lines, for people and models. */
	readonly text: string;
	readonly isError?: boolean;
	/** Set where `data` can be large. */
	readonly bulk?: Bulk;
	/** Images, audio and resources from a tool, passed on unchanged. */
	readonly media?: readonly JsonObject[];
};

/** How an answer is cut. */
export type Bulk = {
	/** The whole text, kept for read_result. */
	readonly full: string;
	/** The previewed field's own text, if `full` tells it in other words; kept instead where these fit. */
	value?(): string | undefined;
	/** The part of `full` that is the previewed field, if there is more in it. */
	readonly part?: string;
	/** The end of `full`, if it must be seen however much comes before it. */
	readonly ending?: string;
	/** Lines that follow in the text but are not part of `full`: the names of what stands beside it. */
	readonly beside?: string | undefined;
	/** `data` without what makes it large. */
	shrink(): JsonObject;
	/** The field of the shrunken data that gets the beginning of `full`; without it only the text has a preview. */
	readonly previewAs?: string;
};

export type MetatoolCall = {
	readonly viewer: Viewer;
	readonly signal: AbortSignal;
	/** Present when the caller asked for progress. */
	readonly progress?: RunProgress;
	/** Present when the caller's client can put a server's question to a person. */
	readonly ask?: BackendCall["ask"] & {};
	readonly caller?: BackendCall["caller"] & {};
	/** Present where calls are kept; one that runs a single tool says by it when that tool is called. */
	readonly dispatching?: BackendCall["dispatching"] & {};
};

/** One tool of the gateway's own, stable surface. */
export type Metatool = {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly inputSchema: JsonObject;
	readonly outputSchema: JsonObject;
	/** Whether a call may be repeated if the gateway dies during it. */
	readonly recovery: Recovery["kind"] & ("replay_safe" | "at_most_once");
	/** Whether it says itself, by `dispatching`, when it may take effect. */
	readonly tellsDispatch?: true;
	handle(input: JsonObject, call: MetatoolCall): Promise<Output>;
};

const MAX_SHOWN = 120;

/** The error for an unknown toolset or skill. */
export function createUnknownIdError(noun: "toolset" | "skill", id: string, known: readonly string[]): ToolError {
	const asked = cutText(id, MAX_SHOWN);
	return new ToolError("tool_not_found", `No ${noun} is called ${asked}; there is ${known.join(", ") || "none"}.`, {
		op: "resolve",
		details: { [`${noun}_id`]: asked },
	});
}

/** The options that a metatool call passes on to the tools it runs. */
export function readCallOptions({
	viewer,
	signal,
	progress,
	ask,
	caller,
	dispatching,
}: MetatoolCall): Pick<RunRequest, "viewer" | "signal" | "onProgress" | "ask" | "caller" | "dispatching"> {
	return {
		viewer,
		signal,
		...(progress !== undefined && { onProgress: progress.forward }),
		...(ask !== undefined && { ask }),
		...(caller !== undefined && { caller }),
		...(dispatching !== undefined && { dispatching }),
	};
}
