import type { RunRequest } from "../run/runner.ts";
import type { MetatoolCall } from "./metatool.ts";

/** The options that a metatool call passes on to the tools it runs. */
export function callOptions({
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
