import { isObject, type JsonObject } from "../contract/json.ts";
import type { LastWords } from "./lastWords.ts";
import type { ReachableSpec } from "./spec.ts";
import { reasonOf, type UpstreamFailure } from "./upstreamError.ts";

/** Why a server could not be connected, for whoever configured it: the cause where it is known, and what it printed. */
export function connectFailure(
	failure: UpstreamFailure,
	spec: ReachableSpec,
	words: LastWords,
	stray: string | undefined,
): string {
	// A server that answers, if only to refuse, speaks MCP, whatever it prints besides.
	const isAnswer = failure.kind === "refused" && hostFaultIn(failure) === undefined;
	return `${causeOf(failure, spec)}${isAnswer || stray === undefined ? "" : `; ${stray}`}${words.take()}`;
}

/** The host's error text is meant for models; its fault has the details. */
function causeOf(failure: UpstreamFailure, spec: ReachableSpec): string {
	const fault = hostFaultIn(failure);
	// The advice in brackets names a setting of the host that the gateway does not have.
	if (UNREADABLE.has(String(fault?.code)))
		return `it gave an answer that cannot be read: ${String(fault?.detail).replace(/ \(raise maxFrameBytes.*\)$/, "")}`;
	if (fault === undefined || spec.kind !== "stdio")
		return failure.kind === "refused" ? `it refuses to be connected: ${failure.message}` : reasonOf(failure);
	if (/\bcommand_not_found\b/.test(String(fault.detail))) return `there is no command ${spec.command}`;
	if (/\bno_working_folder\b/.test(String(fault.detail))) return `there is no folder ${spec.cwd} to start it in`;
	if (!ENDED.has(String(fault.code))) return reasonOf(failure);
	const [how] = /\b(?:exit code \d+|signal SIG\w+)/.exec(String(fault.detail)) ?? [];
	return `its process ends before it answers${how === undefined ? "" : ` (${how})`}`;
}

const UNREADABLE: ReadonlySet<string> = new Set(["unreadable_answer", "frame_too_large"]);
const ENDED: ReadonlySet<string> = new Set(["start_failed", "replay_exhausted", "worker_unavailable"]);

/** The host's explanation of why its worker did not answer. */
function hostFaultIn(failure: UpstreamFailure): JsonObject | undefined {
	const fault = failure.kind === "refused" && isObject(failure.data) ? failure.data.fault : undefined;
	return isObject(fault) ? fault : undefined;
}
