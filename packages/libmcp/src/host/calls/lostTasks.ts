import { makeRoom } from "../../admission/makeRoom.ts";
import type { Fault } from "../../fault/fault.ts";
import { type Call, taskIdOf } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import { taskLost } from "./replayFaults.ts";

const MAX_TASKS = 1_024;

/**
 * Tasks whose worker ended before the client saw their end. Requests about them still go to the next worker, because
 * the server may keep its tasks elsewhere; only if it refuses them is the task lost.
 */
export class LostTasks {
	readonly #faults = new Map<string, Fault>();

	add({ tasks, generation }: Worker, why: string): void {
		for (const { id, repeatable } of tasks.unfinished()) {
			makeRoom(this.#faults, MAX_TASKS);
			this.#faults.set(id, taskLost(repeatable, generation, why));
		}
	}

	/** What a request about such a task fails with. */
	faultOf(call: Call): Fault | undefined {
		const id = this.#faults.size === 0 ? undefined : taskIdOf(call);
		return id === undefined ? undefined : this.#faults.get(id);
	}

	state(): (readonly [id: string, fault: Fault])[] {
		return [...this.#faults];
	}

	adopt(state: Iterable<readonly [id: string, fault: Fault]>): void {
		for (const [id, fault] of state) this.#faults.set(id, fault);
	}

	/** The next worker has answered a request about this task, so it is not lost. */
	found(call: Call): void {
		const id = this.#faults.size === 0 ? undefined : taskIdOf(call);
		if (id !== undefined) this.#faults.delete(id);
	}
}
