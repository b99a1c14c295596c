import type { Fault } from "libmcp";
import { hostFaultIn } from "./hostFault.ts";
import type { LastWords } from "./lastWords.ts";
import { shortageOf } from "./shortage.ts";
import type { ReachableSpec } from "./spec.ts";
import { reasonOf, type UpstreamFailure } from "./upstreamError.ts";

/** What is known of a server that could not be connected, beside the failure itself. */
type Known = {
	readonly words: LastWords;
	readonly stray: string | undefined;
	/** The last fault that its host recorded, which is how its process ended, if it did. */
	readonly lastFault: Fault | null | undefined;
};

/** Why a server could not be connected, for whoever configured it: the cause where it is known, and what it printed. */
export function connectFailure(failure: UpstreamFailure, spec: ReachableSpec, known: Known): string {
	// A server that answers, if only to refuse, speaks MCP, whatever it prints besides.
	const isAnswer = failure.kind === "refused" && hostFaultIn(failure) === undefined;
	const { words, stray, lastFault } = known;
	return `${causeOf(failure, spec, lastFault)}${isAnswer || stray === undefined ? "" : `; ${stray}`}${words.take()}`;
}

/** The host's error text is meant for models; its faults have the details. */
function causeOf(failure: UpstreamFailure, spec: ReachableSpec, lastFault: Known["lastFault"]): string {
	const fault = hostFaultIn(failure);
	// The advice in brackets names a setting of the host that the gateway does not have.
	if (fault !== undefined && UNREADABLE.has(fault.code))
		return `it gave an answer that cannot be read: ${fault.detail.replace(/ \(raise maxFrameBytes.*\)$/, "")}`;
	if (fault === undefined || spec.kind !== "stdio")
		return failure.kind === "refused" ? `it refuses to be connected: ${failure.message}` : reasonOf(failure);
	if (!ENDED.has(fault.code)) return reasonOf(failure);
	switch (lastFault?.code) {
		case "command_not_found":
			return `there is no command ${spec.command}`;
		case "command_not_executable":
			return `its command ${spec.command} is not a program that may be run${spec.cwd === undefined ? "" : ` in ${spec.cwd}`}`;
		case "no_working_folder":
			return `there is no folder ${spec.cwd} to start it in`;
		case "out_of_memory":
		case "worker_crashed":
		case "worker_exited":
		case "worker_killed":
			return `its process ends before it answers (${lastFault.detail})`;
		default:
			return shortageOf(lastFault?.code) ?? "its process ends before it answers";
	}
}

const UNREADABLE: ReadonlySet<string> = new Set(["unreadable_answer", "answer_too_large", "frame_too_large"]);
const ENDED: ReadonlySet<string> = new Set(["start_failed", "replay_exhausted", "worker_unavailable"]);
