import { isObject } from "../contract/json.ts";
import type { LastWords } from "./lastWords.ts";
import type { UpstreamSpec } from "./spec.ts";
import { reasonOf, type UpstreamFailure } from "./upstreamError.ts";

/** Why a server could not be connected, for whoever configured it: the cause where it is known, and what it printed. */
export function connectFailure(failure: UpstreamFailure, spec: UpstreamSpec, words: LastWords): string {
	return `${causeOf(failure, spec)}${words.take()}`;
}

/** The host's error text is meant for models; its fault has the details. */
function causeOf(failure: UpstreamFailure, spec: UpstreamSpec): string {
	const fault = failure.kind === "refused" && isObject(failure.data) ? failure.data.fault : undefined;
	if (!isObject(fault) || spec.kind !== "stdio")
		return failure.kind === "refused" ? `it refuses to be connected: ${failure.message}` : reasonOf(failure);
	if (/\bcommand_not_found\b/.test(String(fault.detail))) return `there is no command ${spec.command}`;
	if (/\bno_working_folder\b/.test(String(fault.detail))) return `there is no folder ${spec.cwd} to start it in`;
	const isEnded = fault.code === "replay_exhausted" || fault.code === "worker_unavailable";
	return isEnded ? "its process ends before it answers" : reasonOf(failure);
}
