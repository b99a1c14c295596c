import { isDeepStrictEqual } from "node:util";
import type { UpstreamSpec } from "./spec.ts";

/** Whether two entries of a server differ at most in what needs no other process or connection. */
export function sameConnection(one: UpstreamSpec, other: UpstreamSpec): boolean {
	const connecting = (spec: UpstreamSpec) => {
		const { include: _, exclude: __, executionTimeoutMs: ___, ...rest } = spec;
		return { ...rest, deadlineMs: hostDeadlineMs(spec) };
	};
	return isDeepStrictEqual(connecting(one), connecting(other));
}

/** The time after which a host gives up on a call unless its server is given longer. */
const HOST_DEADLINE_MS = 600_000;

export function hostDeadlineMs({ executionTimeoutMs = 0 }: UpstreamSpec): number {
	return Math.max(HOST_DEADLINE_MS, executionTimeoutMs);
}
