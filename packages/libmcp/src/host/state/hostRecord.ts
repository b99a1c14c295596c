import { EventEmitter } from "node:events";
import type { Fault } from "../../fault/fault.ts";
import { makeFault } from "../../fault/faultTable.ts";
import { toFault } from "../../fault/toFault.ts";
import type { KillFailure } from "../../process/killResult.ts";
import { HealthBoard, type RolloutStep } from "../../telemetry/healthBoard.ts";
import { labelCall } from "../../telemetry/postmortem.ts";
import {
	type CallOutcome,
	type CallRecord,
	clipText,
	isLong,
	type TelemetryRecord,
	type TelemetrySink,
} from "../../telemetry/record.ts";
import { MAX_METHODS, TelemetryLedger, type TelemetrySnapshot } from "../../telemetry/telemetryLedger.ts";
import type { RequestId } from "../../wire/requestId.ts";
import type { Call } from "../worker/call.ts";
import type { RestartVerdict } from "./restartBudget.ts";

/** The events of `Host.events` and what their listeners get. */
export type HostEvents = {
	fault: [fault: Fault, stderr: readonly string[]];
	ready: [generation: number];
	restart: [fault: Fault, delayMs: number];
	rollout: [step: RolloutStep, generation: number];
	replay: [method: string, attempt: number];
};

/** Lines of stderr kept when a worker ends; the cause of death is usually among the last. */
const LAST_WORDS = 8;

/** Records what happens, for health, telemetry and event listeners. */
export class HostRecord extends EventEmitter<HostEvents> {
	readonly board: HealthBoard = new HealthBoard();
	counters: TelemetryLedger = new TelemetryLedger();
	readonly #sinks: TelemetrySink[] = [];
	readonly #labels = new Map<string, string>();

	/** From now on, every record also goes to this sink. */
	addSink(sink: TelemetrySink): void {
		this.#sinks.push(sink);
	}

	began(call: Call): void {
		call.counted = this.counters.began(this.#label(call));
	}

	ended(call: Call, outcome: CallOutcome): void {
		const latencyMs = call.counted && this.counters.ended(call.counted, outcome);
		// Answers of the host itself say nothing about the server.
		if (outcome.kind === "ok" && call.dispatched) this.board.succeeded();
		if (latencyMs === undefined || this.#sinks.length === 0) return;
		this.#write(callRecord(call, outcome, latencyMs));
	}

	/** Records a call that the program around the host answered itself, without a worker. */
	answeredElsewhere(method: string, id: RequestId): void {
		const latencyMs = this.counters.ended(this.counters.began(method), { kind: "ok" }) ?? 0;
		this.board.succeeded();
		this.#write({ event: "call", at: Date.now(), generation: 0, method, id, latencyMs, attempts: 0, outcome: "ok" });
	}

	replayed(call: Call, generation: number): void {
		this.counters.retried(this.#label(call));
		const tool = call.tool === undefined ? {} : { tool: call.tool };
		const attempt = call.replays + 1;
		this.#write({ event: "replay", at: Date.now(), generation, method: call.method, ...tool, id: call.id, attempt });
		this.#tell("replay", call.method, attempt);
	}

	starting(generation: number): void {
		this.board.starting(generation);
	}

	ready(generation: number): void {
		this.board.ready(generation);
		this.#tell("ready", generation);
	}

	fault(fault: Fault, stderr: readonly string[] = []): void {
		this.board.faulted(fault);
		this.counters.faulted(fault);
		const lastWords = stderr.slice(-LAST_WORDS).map(clipText);
		this.#write({
			event: "fault",
			at: Date.now(),
			generation: fault.generation,
			fault,
			...(lastWords.length > 0 && { stderr: lastWords }),
		});
		this.#tell("fault", fault, stderr);
	}

	killFailed(generation: number, failure: KillFailure): void {
		this.fault(makeFault(failure.code, { detail: failure.detail, generation, hint: "keep_worker" }));
	}

	restarting(cause: Fault, verdict: RestartVerdict, generation: number): void {
		if (verdict.action === "pause") this.board.failing();
		else this.board.restarting();
		this.counters.restarted(cause);
		this.#write({ event: "restart", at: Date.now(), generation, delayMs: verdict.delayMs, cause });
		this.#tell("restart", cause, verdict.delayMs);
	}

	rollout(step: RolloutStep, generation: number, from: number, fault?: Fault): void {
		this.board.rollout(step);
		const why = fault === undefined ? {} : { fault };
		this.#write({ event: "rollout_step", at: Date.now(), generation, step, from, ...why });
		this.#tell("rollout", step, generation);
	}

	telemetry(): TelemetrySnapshot {
		return this.counters.snapshot();
	}

	close(): void {
		this.board.stopped();
		for (const sink of this.#sinks) sink.close();
	}

	/** Reuses one string for all calls of a tool, so that it is hashed once. */
	#label(call: Call): string {
		if (call.tool === undefined) return call.method;
		const known = this.#labels.get(call.tool);
		if (known !== undefined) return known;
		const label = labelCall({ method: call.method, tool: call.tool });
		if (this.#labels.size < MAX_METHODS && !isLong(call.tool)) this.#labels.set(call.tool, label);
		return label;
	}

	#write(record: TelemetryRecord): void {
		for (const sink of this.#sinks) {
			try {
				sink.record(record);
			} catch (thrown) {
				this.#outlive(thrown);
			}
		}
	}

	#tell<Name extends keyof HostEvents>(name: Name, ...args: HostEvents[Name]): void {
		for (const listener of this.rawListeners(name)) {
			try {
				Reflect.apply(listener, this, args);
			} catch (thrown) {
				this.#outlive(thrown);
			}
		}
	}

	/** A sink or listener that fails does not end the host; nobody else is told, because that may fail again. */
	#outlive(thrown: unknown): void {
		const fault = toFault(thrown, this.board.snapshot().generation);
		this.board.faulted(fault);
		this.counters.faulted(fault);
	}
}

/** Written for speed: this runs for every call. */
function callRecord(call: Call, outcome: CallOutcome, latencyMs: number): TelemetryRecord {
	const record: { -readonly [K in keyof CallRecord]: CallRecord[K] } & { event: "call" } = {
		event: "call",
		at: Date.now(),
		generation: generationOf(call, outcome),
		method: call.method,
		id: call.id,
		latencyMs,
		attempts: call.dispatched ? call.replays + 1 : 0,
		outcome: outcome.kind,
	};
	if (call.tool !== undefined) record.tool = call.tool;
	if (outcome.kind === "error" && outcome.code !== undefined) record.code = outcome.code;
	if (outcome.kind === "fault") record.fault = outcome.fault;
	return record;
}

/** A call that was lost with its worker has none any more, but its fault knows which it was. */
function generationOf(call: Call, outcome: CallOutcome): number {
	return call.worker?.generation ?? (outcome.kind === "fault" ? outcome.fault.generation : 0);
}
