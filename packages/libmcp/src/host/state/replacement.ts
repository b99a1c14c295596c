import type { Fault } from "../../fault/fault.ts";
import { makeFault } from "../../fault/faultTable.ts";
import type { Settings } from "../settings/settings.ts";
import type { Call } from "../worker/call.ts";
import type { WorkerCommand } from "../worker/spawnWorker.ts";
import type { Roster } from "./roster.ts";

/** One start of a release, whether or not it came to a worker. */
export type Start = { readonly command: WorkerCommand; readonly generation: number };

/**
 * What a death means for a rollout whose new release is on probation. `rolled_back`: the release before serves again,
 * so the supervisor starts no worker. `no_way_back`: the release before is gone.
 */
export type DeathVerdict = "unrelated" | "on_probation" | "rolled_back" | "no_way_back";

/** Watches a new release; told of every death and failed start, and of a call that ended workers too often. */
export type Watch = { died(start: Start, fault: Fault, deadly?: Call): DeathVerdict };

/** What of the host is being replaced. Only one thing at a time, because a host that replaces itself ends every worker. */
export class Replacement {
	readonly #settings: Pick<Settings, "rollouts">;
	readonly #roster: Pick<Roster, "generation">;
	#current: "rollout" | "reinstall" | undefined;
	#end: PromiseWithResolvers<void> | undefined;
	/** Set while a new release is on probation. */
	probation: Watch | undefined;
	/** The release before is being brought up to date; until it serves, no other worker may be started or switched to. */
	rollingBack: boolean = false;

	constructor(settings: Pick<Settings, "rollouts">, roster: Pick<Roster, "generation">) {
		this.#settings = settings;
		this.#roster = roster;
	}

	/** Begins a replacement, or says why it may not begin. A reinstall that succeeds never ends in this program. */
	begin(what: "rollout" | "reinstall"): Fault | undefined {
		const refusal = what === "rollout" ? this.#rolloutRefusal() : this.#reinstallRefusal();
		if (refusal !== undefined) return refusal;
		this.#current = what;
		this.#end = Promise.withResolvers();
		return undefined;
	}

	end(): void {
		this.#current = undefined;
		this.#end?.resolve();
	}

	/** Resolves when what is being replaced now has been, or not. */
	async ended(): Promise<void> {
		await this.#end?.promise;
	}

	/** A rollout may begin during a probation, which it ends, and during a rollback, for which it waits. */
	#rolloutRefusal(): Fault | undefined {
		const { generation } = this.#roster;
		switch (this.#current) {
			case undefined:
				return undefined;
			case "rollout":
				return makeFault("rollout_in_progress", { detail: "one rollout at a time", generation });
			case "reinstall":
				return makeFault("reinstall_in_progress", { detail: "the host is replacing its own program", generation });
		}
	}

	/** The release before ends with this program, so the successor could not go back to it. */
	#reinstallRefusal(): Fault | undefined {
		const why = { generation: this.#roster.generation, retry: "later" } as const;
		if (this.#current === "reinstall")
			return makeFault("reinstall_in_progress", { detail: "one replacement at a time", ...why });
		if (this.#current === "rollout" || this.rollingBack)
			return makeFault("rollout_in_progress", { detail: "a rollout is under way", ...why });
		if (this.probation === undefined) return undefined;
		const seconds = Math.ceil(this.#settings.rollouts.probationMs / 1_000);
		const detail = `the new release is still on probation, for at most ${seconds} s`;
		return makeFault("rollout_in_progress", { detail, ...why });
	}
}
