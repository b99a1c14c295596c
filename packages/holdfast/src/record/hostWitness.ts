import { effectOfTool, type Fault, type Host, type TelemetryRecord, type TelemetrySink } from "libmcp";
import type { UpstreamWatch } from "metatools";
import { nameServerOf, type Recorder } from "./recorder.ts";

const MAX_OPEN_REPLAYS = 1_000;

type StepRecord = Extract<TelemetryRecord, { event: "rollout_step" }>;

/** A rollout's timeline entry and the steps it has taken. */
type Rollout = Pick<StepRecord, "from" | "step"> & { readonly entry: number; readonly steps: readonly StepRecord[] };

const FAILURES: ReadonlySet<StepRecord["step"]> = new Set(["rolling_back", "aborting"]);
const LAST_STEPS: ReadonlySet<StepRecord["step"]> = new Set(["stable", "aborting"]);

/** Adds the events of hosts to the timeline. */
export class HostWitness {
	readonly #recorder: Recorder;
	readonly #others: { sink(server: string): TelemetrySink } | undefined;
	/** Hosts already watched; the gateway reports the same host again after each reconnection. */
	readonly #known = new WeakSet<Host>();
	/** Timeline entries of replays whose call has not ended, by server and request id. */
	readonly #replays = new Map<string, number>();

	/** Of each server the latest rollout, and the one before it while that is on probation. */
	readonly #rollouts = new Map<string, readonly Rollout[]>();

	constructor(recorder: Recorder, others?: { sink(server: string): TelemetrySink }) {
		this.#recorder = recorder;
		this.#others = others;
	}

	host(server: string, host: Host): void {
		if (this.#known.has(host)) return;
		this.#known.add(host);
		host.events.addSink({ record: (record) => this.#record(server, record), close: () => {} });
		if (this.#others !== undefined) host.events.addSink(this.#others.sink(server));
		host.events.on("fault", (fault, stderr) => this.#fault(server, fault, stderr));
		host.events.on("ready", () => this.#recorder.emit("servers"));
	}

	#fault(server: string, fault: Fault, stderr: readonly string[]): void {
		this.#recorder.tell({
			kind: "fault",
			server,
			level: "bad",
			summary: `${fault.class}.${fault.code}: ${fault.detail}`,
			record: { fault, ...(stderr.length > 0 && { stderr }) },
		});
		this.#recorder.emit("servers");
	}

	#record(server: string, record: TelemetryRecord): void {
		switch (record.event) {
			case "restart":
				this.#tell(server, "restart", "warn", `restarting after ${record.cause.class}.${record.cause.code}`, record);
				return;
			case "rollout_step":
				this.#rollout(server, record);
				return;
			case "replay": {
				const summary = `${record.tool ?? record.method} sent again, attempt ${record.attempt}`;
				const details = { ...record, ...this.#request(server, record.tool) };
				const { id } = this.#tell(server, "replay", "warn", summary, details);
				if (this.#replays.size < MAX_OPEN_REPLAYS) this.#replays.set(`${server} ${record.id}`, id);
				return;
			}
			case "call":
				this.#ended(server, record);
				return;
			case "fault":
			case "log_opened":
				return;
		}
	}

	/** A rollout is one entry that goes on with its steps; that it was rolled back later is another. */
	#rollout(server: string, record: StepRecord): void {
		const { step, from } = record;
		const rollouts = this.#rollouts.get(server) ?? [];
		const known = step === "starting" ? undefined : (rollouts.findLast((one) => one.from === from) ?? rollouts.at(-1));
		const others = rollouts.filter((one) => one !== known && !LAST_STEPS.has(one.step));
		const steps = [...(known?.steps ?? []), record];
		const shown = { summary: rolloutSummary(record), level: FAILURES.has(step) ? "bad" : "info" } as const;
		if (known === undefined || step === "rolling_back") {
			const { id } = this.#tell(server, "rollout", shown.level, shown.summary, { ...record, steps });
			this.#rollouts.set(server, [...others, { from, step, entry: id, steps }]);
			return;
		}
		this.#rollouts.set(server, [...others, { ...known, step, steps }]);
		const hasFailed = known.steps.some((taken) => FAILURES.has(taken.step));
		const extended = this.#recorder.timeline.extend(known.entry, { ...record, steps }, hasFailed ? {} : shown);
		if (extended !== undefined) this.#recorder.emit("entry", extended);
		this.#recorder.emit("servers");
	}

	#ended(server: string, record: Extract<TelemetryRecord, { event: "call" }>): void {
		const key = `${server} ${record.id}`;
		const replay = this.#replays.get(key);
		this.#replays.delete(key);
		const { outcome, latencyMs, attempts, fault } = record;
		if (replay !== undefined) {
			const extended = this.#recorder.timeline.extend(replay, {
				outcome,
				latencyMs,
				attempts,
				...(fault && { fault }),
			});
			if (extended !== undefined) this.#recorder.emit("entry", extended);
		}
		if (fault === undefined) return;
		const summary = `${record.tool ?? record.method} failed: ${fault.class}.${fault.code}`;
		this.#tell(server, "call", "bad", summary, { ...record, ...this.#request(server, record.tool) });
	}

	/** The tool's recovery contract, and the call's arguments if the call is still recorded. */
	#request(server: string, tool: string | undefined): Record<string, unknown> {
		const known = this.#recorder.gateway?.catalog.tools.find(
			(one) => nameServerOf(one) === server && one.definition.name === tool,
		);
		if (known === undefined) return {};
		const call = this.#recorder.calls.running(known.id);
		return {
			contract: effectOfTool(known.definition).recovery,
			...(call !== undefined && { call: call.id, request: call.args }),
		};
	}

	#tell(
		server: string,
		kind: "restart" | "rollout" | "replay" | "call",
		level: "info" | "warn" | "bad",
		summary: string,
		record: object,
	) {
		this.#recorder.emit("servers");
		return this.#recorder.tell({ kind, server, level, summary, record: { ...record } });
	}
}

function rolloutSummary({ step, generation }: StepRecord): string {
	switch (step) {
		case "rolling_back":
			return "rolled back to the release before";
		case "aborting":
			return "rollout given up";
		case "probation":
		case "stable":
			return `rolled out, generation ${generation}`;
		default:
			return `rolling out: ${step}`;
	}
}

/** Combines several watches into one. */
export function combineWatches(...watches: readonly (UpstreamWatch | undefined)[]): UpstreamWatch {
	return {
		host(server, host) {
			for (const watch of watches) watch?.host?.(server, host);
		},
		state(server, state, fault) {
			for (const watch of watches) watch?.state?.(server, state, fault);
		},
	};
}
