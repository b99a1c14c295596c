import type { CodeLanguage } from "../engine.ts";
import type { GuestMessage, HostReply } from "../guestMessage.ts";
import type { Insertion } from "../script/insertions.ts";
import type { PreparedScript } from "../script/prepareScript.ts";
import type { WasmModule } from "./webAssembly.ts";

export type StartRun = {
	readonly language: CodeLanguage;
	readonly code: string;
	readonly seed: number | null;
	readonly wallMs: number;
	readonly cpuMs: number;
	/** Limits checked in the worker already, so that excess calls do not fill the host's queue. */
	readonly maxCalls: number;
	readonly maxCallLength: number;
	readonly maxStdoutLength: number;
	readonly maxStderrLength: number;
};

export type ToWorker =
	| { readonly to: "start"; readonly run: StartRun }
	| { readonly to: "reply"; readonly reply: HostReply }
	| { readonly to: "stop" }
	| { readonly to: "prepare"; readonly language: CodeLanguage; readonly code: string };

export type FromWorker =
	/** The code has been parsed and runs. */
	| { readonly from: "began"; readonly insertions: readonly Insertion[] }
	| { readonly from: "guest"; readonly message: GuestMessage }
	/** Nothing of the run is left; `reusable` is false when the worker should be dropped. */
	| { readonly from: "ended"; readonly reusable: boolean }
	| { readonly from: "prepared"; readonly prepared: PreparedScript };

/** Shared with the worker, because a worker that runs code reads no messages. */
export type WorkerData = {
	readonly stopFlag: Int32Array<SharedArrayBuffer>;
	readonly wasmModule: WasmModule;
	readonly memoryBytes: number;
};
