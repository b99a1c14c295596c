import { EventEmitter } from "node:events";
import { createFault, type Fault } from "../fault/fault.ts";
import type { KillFailure } from "../process/killResult.ts";
import type { Call } from "./call.ts";
import type { RestartVerdict } from "./restartBudget.ts";

export type CallOutcome =
	| { readonly kind: "ok" }
	| { readonly kind: "error"; readonly code: number | undefined }
	| { readonly kind: "cancelled" }
	| { readonly kind: "fault"; readonly fault: Fault };

export type HostEvents = {
	fault: [fault: Fault];
	ready: [generation: number];
	restart: [fault: Fault, delayMs: number];
};

/** What happened, for health, telemetry and whoever listens. */
export class HostRecord extends EventEmitter<HostEvents> {
	began(_call: Call): void {}
	ended(_call: Call, _outcome: CallOutcome): void {}
	replayed(_call: Call, _generation: number): void {}
	starting(_generation: number): void {}
	ready(generation: number): void {
		this.emit("ready", generation);
	}
	fault(fault: Fault, _stderr: readonly string[] = []): void {
		this.emit("fault", fault);
	}
	restarting(fault: Fault, verdict: RestartVerdict): void {
		this.emit("restart", fault, verdict.delayMs);
	}
	killFailed(generation: number, failure: KillFailure): void {
		this.fault(createFault("process", failure.code, { detail: failure.detail, generation, hint: "keep_worker" }));
	}
	health(): Record<string, unknown> {
		return {};
	}
	telemetry(): Record<string, unknown> {
		return {};
	}
}
