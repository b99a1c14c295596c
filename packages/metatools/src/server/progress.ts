import type { RpcContext } from "libmcp";
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
	let forwarded = 0;
	let last: ToolProgress | undefined;
	return {
		start(expected) {
			total = expected;
			context.progress({ progress: 0, total, message: "started" });
		},
		forward(update) {
			forwarded++;
			// The pace of progress may drop what comes right before the answer; the last word is kept for `end`.
			if (update.total !== undefined && update.progress >= update.total) last = update;
			else context.progress(update);
		},
		end(outcome) {
			const update = forwarded === 0 ? { progress: total, total, message: outcome } : last;
			if (update !== undefined) context.notify("notifications/progress", { progressToken: token, ...update });
		},
	};
}
