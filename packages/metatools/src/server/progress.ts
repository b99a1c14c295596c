import { STEP_ERROR } from "../chain/chain.ts";
import type { ToolProgress } from "../run/backend.ts";
import { type Round, readProgressToken } from "../run/suspendedCalls.ts";

/** Progress of one run under the caller's token: what the runner reports, or else a start and an end. */
export type RunProgress = {
	start(total: number): void;
	forward(update: ToolProgress): void;
	end(outcome: "completed" | "error"): void;
};

/** Undefined unless the first request carries a progress token. */
export function runProgress(latest: () => Round): RunProgress | undefined {
	if (readProgressToken(latest()) === undefined) return undefined;
	let total = 1;
	let last: ToolProgress | undefined;
	let highest = 0;
	return {
		start(expected) {
			total = expected;
			latest().context.progress({ progress: 0, total, message: "started" });
		},
		forward(update) {
			last = update;
			// Rate limiting may drop an update right before the answer, so the final one is sent by `end`.
			if (isWhole(update) || isStepError(update)) return;
			highest = Math.max(highest, update.progress);
			latest().context.progress(update);
		},
		end(outcome) {
			const final = lastWord(last, total, outcome);
			const token = readProgressToken(latest());
			if (final !== undefined && final.progress > highest && token !== undefined)
				latest().context.notify("notifications/progress", { progressToken: token, ...final });
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
