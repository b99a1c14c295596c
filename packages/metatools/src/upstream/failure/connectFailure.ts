import { createFault, type Fault, type FaultClass, type FaultFields, faultMaker, type RetryAdvice } from "libmcp";
import type { ReachableSpec } from "../spec.ts";
import { describeFailure, describeShortage, findHostFault, type UpstreamFailure } from "./failure.ts";
import type { LastWords } from "./serverOutput.ts";

/** What is known of a server that could not be connected, beside the failure itself. */
type Known = {
	readonly words: LastWords;
	readonly stray: string | undefined;
	/** The last fault that its host recorded, which is how its process ended, if it did. */
	readonly lastFault: Fault | null | undefined;
};

/** Why a server could not be connected, for whoever configured it: the cause where it is known, and what it printed. */
export function describeConnectFailure(failure: UpstreamFailure, spec: ReachableSpec, known: Known): string {
	// A server that answers, if only to refuse, speaks MCP, whatever it prints besides.
	const isAnswer = failure.kind === "refused" && findHostFault(failure) === undefined;
	const { words, stray, lastFault } = known;
	return `${causeOf(failure, spec, lastFault)}${isAnswer || stray === undefined ? "" : `; ${stray}`}${words.take()}`;
}

/** The host's error text is meant for models; its faults have the details. */
function causeOf(failure: UpstreamFailure, spec: ReachableSpec, lastFault: Known["lastFault"]): string {
	const fault = findHostFault(failure);
	// The advice in brackets names a setting of the host that the gateway does not have.
	if (fault !== undefined && UNREADABLE.has(fault.code))
		return `it gave an answer that cannot be read: ${fault.detail.replace(/ \(raise maxFrameBytes.*\)$/, "")}`;
	if (fault === undefined || spec.kind !== "stdio")
		return failure.kind === "refused" ? `it refuses to be connected: ${failure.message}` : describeFailure(failure);
	if (!ENDED.has(fault.code)) return describeFailure(failure);
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
			return describeShortage(lastFault?.code) ?? "its process ends before it answers";
	}
}

const UNREADABLE: ReadonlySet<string> = new Set(["unreadable_answer", "answer_too_large", "frame_too_large"]);
const ENDED: ReadonlySet<string> = new Set(["start_failed", "replay_exhausted", "worker_unavailable"]);

/** Converts a failure to connect into the fault shown in the server's health; `reason` is its text. */
export function createConnectFault(
	failure: UpstreamFailure,
	reason: string,
	generation: number,
	hostFault?: Fault | null,
): Fault {
	const given = { detail: reason, generation };
	switch (failure.kind) {
		case "timeout":
			return createFaultOf("connect_timeout", given);
		case "unauthorized":
			return createFaultOf("login_required", given);
		case "refused": {
			// For a stdio server its host answers, and its fault is more specific.
			const fault = findHostFault(failure);
			if (fault === undefined) return createFaultOf("connect_refused", given);
			// A host that has given up answers only that; how the process ended is the cause.
			const isCause =
				(fault.code === "worker_unavailable" && hostFault?.class === "process") ||
				describeShortage(hostFault?.code) !== undefined;
			const cause = isCause && hostFault ? hostFault : fault;
			return createFault(cause.class, cause.code, { ...given, retry: "later" });
		}
		case "lost":
		case "unreadable":
		case "broken":
		case "busy":
			return createFaultOf("connect_failed", given);
	}
}

type FaultRow = { readonly class: FaultClass; readonly retry: RetryAdvice; readonly when: string };

/** Every fault of a connection that the gateway reports itself; a stdio server's host adds those of libmcp. */
export const FAULTS = {
	connect_timeout: { class: "timeout", retry: "later", when: "it did not start and list its tools in time" },
	connect_refused: { class: "downstream", retry: "later", when: "it answered the handshake with an error" },
	connect_failed: { class: "transport", retry: "later", when: "it could not be reached, or gave no usable answer" },
	connection_lost: { class: "transport", retry: "later", when: "it was connected, and the connection broke" },
	login_required: { class: "downstream", retry: "never", when: "it answers only after a login" },
} as const satisfies Readonly<Record<string, FaultRow>>;

type FaultCode = keyof typeof FAULTS;

/** Creates a fault of the table above. */
export const createFaultOf: (code: FaultCode, fields: FaultFields) => Fault = faultMaker(FAULTS);
