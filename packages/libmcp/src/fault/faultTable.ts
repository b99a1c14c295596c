import { createFault, type Fault, type FaultClass, type FaultFields, type RetryAdvice } from "./fault.ts";
import { RPC_CODES } from "./rpcError.ts";

type FaultRow = {
	readonly class: FaultClass;
	/** The JSON-RPC error code that reports it; -32603 (internal error) when absent. */
	readonly rpc?: number;
	/** Told to the model instead of the general sentence of the fault's class. */
	readonly sentence?: string;
};

/** Every failure that this library reports. Servers may add codes of their own. */
export const FAULTS = {
	bad_json: { class: "protocol", rpc: RPC_CODES.parseError },
	bad_envelope: { class: "protocol", rpc: RPC_CODES.invalidRequest },
	duplicate_id: {
		class: "protocol",
		rpc: RPC_CODES.invalidRequest,
		sentence: "A call with this id is already in flight.",
	},
	unreadable_answer: {
		class: "protocol",
		sentence: "The server's answer could not be read; the call itself may have taken effect.",
	},
	garbage_output: { class: "protocol" },
	garbage_flood: { class: "protocol" },
	bad_handshake: { class: "protocol" },
	bad_catalogue: { class: "protocol" },
	version_changed: { class: "protocol" },
	capability_dropped: { class: "protocol" },
	restore_refused: { class: "protocol" },
	bad_control_request: { class: "protocol" },

	queue_overloaded: {
		class: "resource",
		rpc: RPC_CODES.overloaded,
		sentence: "Too many calls are waiting; this one was not started.",
	},
	frame_too_large: {
		class: "resource",
		rpc: RPC_CODES.invalidRequest,
		sentence: "The message is larger than the limit; send less, or ask for less at a time.",
	},
	answer_too_large: {
		class: "resource",
		sentence:
			"The server's answer is larger than the limit; the call itself has run. Ask for less only if it may be repeated.",
	},
	out_of_memory: { class: "resource", sentence: "The server ran out of memory." },
	no_more_processes: { class: "resource" },
	no_more_files: { class: "resource" },
	disk_full: { class: "resource" },

	worker_crashed: { class: "process" },
	worker_killed: { class: "process" },
	worker_exited: { class: "process" },
	worker_cut_off: { class: "process" },
	worker_unavailable: {
		class: "process",
		sentence: "The server keeps failing and is being given a pause; the call may be repeated.",
	},
	start_failed: {
		class: "process",
		sentence: "The server ends before it answers; what it prints on its standard error says why.",
	},
	restart_requested: { class: "process" },
	task_lost: { class: "process", sentence: "The server that ran this task ended; begin the task again." },
	command_not_found: { class: "process" },
	command_not_executable: { class: "process" },
	no_working_folder: { class: "process" },
	kill_denied: { class: "process" },
	kill_survived: { class: "process" },
	kill_unavailable: { class: "process" },

	deadline_passed: { class: "timeout" },
	worker_hung: { class: "timeout" },
	no_private_answer: { class: "timeout" },
	timed_out: { class: "timeout" },
	aborted: { class: "timeout" },

	outcome_unknown: { class: "ambiguous_outcome" },
	replay_exhausted: { class: "replay" },

	rollout_in_progress: { class: "rollout" },
	release_quarantined: { class: "rollout" },
	bad_contract: { class: "rollout" },
	candidate_spoke: { class: "rollout" },
	switch_deadline: { class: "rollout" },
	rolled_back: { class: "rollout" },
	rollback_impossible: { class: "rollout" },
	lost_in_rollout: { class: "rollout" },
	reinstall_in_progress: { class: "rollout" },
	reinstall_unsupported: { class: "rollout" },
	calls_in_flight: { class: "rollout" },
	client_not_reading: { class: "rollout" },
	client_sending: { class: "rollout" },
	successor_refused: { class: "rollout" },
	capsule_foreign: { class: "rollout" },
	capsule_too_large: { class: "rollout" },
	capsule_corrupt: { class: "rollout" },
	capsule_version: { class: "rollout" },

	host_closing: { class: "transport", sentence: "The host is shutting down; the call may be repeated." },
	broken_pipe: { class: "transport" },
	connection_reset: { class: "transport" },
	connection_refused: { class: "transport" },
	not_connected: { class: "transport" },
	stream_closed: { class: "transport" },

	error_response: { class: "downstream" },

	out_of_range: { class: "invariant" },
	unexpected_error: { class: "invariant" },
} as const satisfies Readonly<Record<string, FaultRow>>;

export type FaultCode = keyof typeof FAULTS;

/** Creates a fault of the table above. */
export const makeFault: (code: FaultCode, fields: FaultFields) => Fault = createFaultMaker(FAULTS);

/** The table's row for a code; undefined for a server's own code. */
export function findFaultRow(code: string): FaultRow | undefined {
	return Object.hasOwn(FAULTS, code) ? FAULTS[code as FaultCode] : undefined;
}

type Row = { readonly class: FaultClass; readonly retry?: RetryAdvice };

/** The function that creates the faults of a table; a row's advice on retrying holds unless a fault has its own. */
export function createFaultMaker<Code extends string>(
	table: Readonly<Record<Code, Row>>,
): (code: Code, fields: FaultFields) => Fault {
	return (code, fields) => {
		const { class: faultClass, retry } = table[code];
		return createFault(faultClass, code, retry === undefined ? fields : { retry, ...fields });
	};
}
