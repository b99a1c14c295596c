import { isObject } from "../contract/json.ts";
import type { UpstreamSpec } from "./spec.ts";
import { reasonOf, type UpstreamFailure } from "./upstreamError.ts";

const MOST_TOLD = 3;
const TELLING = /^\S.*(?:error|exception|fatal|cannot|can't|could not|not found|no such|denied|refused|usage)/i;
/** Stack frames, rulers and farewells say nothing of the cause. */
const NOISE = /^\s*(?:at |[\s\p{P}\p{S}]*$|Node\.js v)|complete log of this run/u;

/** Why a server could not be connected, for whoever configured it: the cause where it is known, and what it printed. */
export function connectFailure(failure: UpstreamFailure, spec: UpstreamSpec, printed: readonly string[]): string {
	return `${causeOf(failure, spec)}${saying(printed)}`;
}

/** What a server printed as it ended, as far as it tells the cause; empty where it said nothing. */
export function saying(printed: readonly string[]): string {
	const lines = printed.filter((line) => !NOISE.test(line));
	const telling = lines.filter((line) => TELLING.test(line));
	// Each worker that was tried says the same.
	const told = [...new Set((telling.length > 0 ? telling : lines).map((line) => line.trim()))].slice(-MOST_TOLD);
	return told.length > 0 ? `; it said: ${told.join(" / ")}` : "";
}

/** The host answers as it would answer a model; beside that is what it knows. */
function causeOf(failure: UpstreamFailure, spec: UpstreamSpec): string {
	const fault = failure.kind === "refused" && isObject(failure.data) ? failure.data.fault : undefined;
	if (!isObject(fault) || spec.kind !== "stdio") return reasonOf(failure);
	if (/\bcommand_not_found\b/.test(String(fault.detail))) return `there is no command ${spec.command}`;
	const isEnded = fault.code === "replay_exhausted" || fault.code === "worker_unavailable";
	return isEnded ? "its process ends before it answers" : reasonOf(failure);
}
