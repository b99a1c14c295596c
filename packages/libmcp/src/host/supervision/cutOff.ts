import { faultOf } from "../../fault/faultTable.ts";
import type { Parts } from "../parts.ts";
import type { Worker } from "../worker/worker.ts";

const LOOK_AGAIN_MS = 100;

/**
 * Replaces a worker that closed one of its pipes and lives on. One that can no longer be told anything may still finish
 * its calls, while nothing waits for its successor.
 */
export function cutOff(parts: Parts, worker: Worker, pipe: "input" | "output"): void {
	const { supervisor, dispatch } = parts;
	if (worker.over) return;
	const isWanted = supervisor.active === worker && !dispatch.idle;
	if (pipe === "input" && !(worker.calls.idle || isWanted || worker.isUnheeded)) {
		setTimeout(cutOff, LOOK_AGAIN_MS, parts, worker, pipe).unref();
		return;
	}
	const detail = `it closed its standard ${pipe} and lives on`;
	void supervisor.replace(worker, faultOf("worker_cut_off", { detail, generation: worker.generation }));
}
