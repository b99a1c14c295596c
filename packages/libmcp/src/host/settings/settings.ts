import type { Buffer } from "node:buffer";
import type { DeadlineLimits } from "../../admission/deadline.ts";
import type { Fault } from "../../fault/fault.ts";
import { DEFAULT_GRACE_MS } from "../../process/killResult.ts";
import { writeStderr } from "../../process/ownProcess.ts";
import { DEFAULT_MAX_FRAME_BYTES } from "../../wire/frame.ts";
import type { SpawnedWorker, WorkerCommand } from "../worker/spawnWorker.ts";
import { type ContractDeclarations, readContractFile } from "./contractFile.ts";
import {
	DEFAULT_DEADLINES,
	DEFAULT_GARBAGE,
	DEFAULT_MAX_CALLS,
	DEFAULT_RESTARTS,
	DEFAULT_ROLLOUTS,
	type GarbageLimits,
	type HostOptions,
	type PrivateWorker,
	type RestartPolicy,
	type RolloutPolicy,
} from "./options.ts";
import { deriveServerName } from "./serverName.ts";

/** How much of a stray line is printed; it may be as long as a message. */
const MOST_PRINTED_BYTES = 2_000;

/** The options with all defaults filled in. */
export type Settings = {
	readonly name: string;
	readonly worker: WorkerCommand;
	/** Reads the contracts; throws a TypeError if they come from a file that cannot be used. */
	readonly readContracts: () => ContractDeclarations;
	/** Where the contracts come from, for error messages. */
	readonly contractSource: string;
	readonly deadlines: DeadlineLimits;
	readonly graceMs: number;
	readonly maxQueue: number;
	readonly maxInFlight: number;
	readonly maxFrameBytes: number;
	readonly restarts: RestartPolicy;
	readonly rollouts: RolloutPolicy;
	readonly garbage: GarbageLimits;
	readonly opsTools: boolean;
	readonly sequential: boolean;
	readonly ownWorker: boolean;
	readonly privateWorker: PrivateWorker | undefined;
	readonly errorCode: ((fault: Fault) => string) | undefined;
	readonly firstWorker: Promise<SpawnedWorker> | undefined;
	readonly maskStderr: ((line: string) => string) | undefined;
	readonly onWorkerStderr: (line: string) => void;
	readonly onWorkerGarbage: (line: Buffer) => void;
};

export function fillDefaults(options: HostOptions): Settings {
	const name = options.name ?? deriveServerName(options);
	const print = (line: string): void => writeStderr(`[${name}] ${line}\n`);
	return {
		name,
		worker: {
			command: options.command,
			...(options.args === undefined ? {} : { args: options.args }),
			...(options.env === undefined ? {} : { env: options.env }),
			...(options.cwd === undefined ? {} : { cwd: options.cwd }),
		},
		...contractsOf(options.contract),
		deadlines: { ...DEFAULT_DEADLINES, ...options.deadlines },
		graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
		maxQueue: options.maxQueue ?? DEFAULT_MAX_CALLS,
		maxInFlight: options.sequential === true ? 1 : (options.maxInFlight ?? DEFAULT_MAX_CALLS),
		maxFrameBytes: options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES,
		restarts: { ...DEFAULT_RESTARTS, ...options.restarts },
		rollouts: { ...DEFAULT_ROLLOUTS, ...options.rollouts },
		garbage: { ...DEFAULT_GARBAGE, ...options.garbage },
		opsTools: options.opsTools ?? true,
		sequential: options.sequential ?? false,
		ownWorker: options.ownWorker ?? options.privateWorker !== undefined,
		privateWorker: options.privateWorker,
		errorCode: options.errorCode,
		firstWorker: options.firstWorker,
		maskStderr: options.maskStderr,
		onWorkerStderr: options.onWorkerStderr ?? print,
		onWorkerGarbage:
			options.onWorkerGarbage ?? ((line) => print(`on its stdout: ${line.toString("utf8", 0, MOST_PRINTED_BYTES)}`)),
	};
}

function contractsOf(contract: HostOptions["contract"]): Pick<Settings, "readContracts" | "contractSource"> {
	return typeof contract === "string"
		? { readContracts: () => readContractFile(contract), contractSource: contract }
		: { readContracts: () => contract ?? { tools: {} }, contractSource: "contract" };
}
