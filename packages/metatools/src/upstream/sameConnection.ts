import { isDeepStrictEqual } from "node:util";
import { LONGEST_CALL_MS } from "../run/callClock.ts";
import type { UpstreamSpec } from "./spec.ts";

/** Whether two entries of a server differ at most in what needs no other process or connection. */
export function sameConnection(one: UpstreamSpec, other: UpstreamSpec): boolean {
	const connecting = (spec: UpstreamSpec) => {
		const { include: _, exclude: __, executionTimeoutMs: ___, executionTotalTimeoutMs: ____, ...rest } = spec;
		return { ...rest, deadlineMs: hostDeadlineMs(spec) };
	};
	return isDeepStrictEqual(connecting(one), connecting(other));
}

/** The time after which a host gives up on a call: no earlier than any caller may ask for, who has a clock of its own. */
export function hostDeadlineMs({ executionTimeoutMs = 0, executionTotalTimeoutMs = 0 }: UpstreamSpec): number {
	return Math.max(LONGEST_CALL_MS, executionTimeoutMs, executionTotalTimeoutMs);
}
