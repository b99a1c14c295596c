import type { RpcContext } from "libmcp";
import { STEP_ERROR } from "../chain/chain.ts";
import { isObject } from "../contract/json.ts";
import type { ToolProgress } from "../run/backend.ts";

/** Progress of one run under the caller's token: what the runner reports, or else a start and an end. */
export type RunProgress = {
	start(total: number): void;
	forward(update: ToolProgress): void;
	end(outcome: "completed" | "error"): void;
};

/** Undefined unless the request carries a progress token. */
export function runProgress(context: RpcContext, params: unknown): RunProgress | undefined {
	const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
	const token = meta.progressToken;
	if (!context.wantsProgress || (typeof token !== "string" && typeof token !== "number")) return undefined;
	let total = 1;
	let last: ToolProgress | undefined;
	let highest = 0;
	return {
		start(expected) {
			total = expected;
			context.progress({ progress: 0, total, message: "started" });
		},
		forward(update) {
			last = update;
			// Rate limiting may drop an update right before the answer, so the final one is sent by `end`.
			if (isWhole(update) || isStepError(update)) return;
			highest = Math.max(highest, update.progress);
			context.progress(update);
		},
		end(outcome) {
			const final = lastWord(last, total, outcome);
			if (final !== undefined && final.progress > highest)
				context.notify("notifications/progress", { progressToken: token, ...final });
		},
	};
}

function isWhole({ progress, total }: ToolProgress): boolean {
	return total !== undefined && progress >= total;
}

/** The step at which a chain fails is the last that is heard of it. */
function isStepError({ message }: ToolProgress): boolean {
	return message === STEP_ERROR;
}

/** The final update: complete on success, synthesised if the runner reported nothing, else the step that failed. */
function lastWord(
	last: ToolProgress | undefined,
	total: number,
	outcome: "completed" | "error",
): ToolProgress | undefined {
	if (last === undefined) return { progress: total, total, message: outcome };
	if (isWhole(last)) return last;
	if (outcome === "error") return isStepError(last) ? last : undefined;
	return last.total === undefined ? undefined : { progress: last.total, total: last.total, message: outcome };
}
