import { sealOf } from "../sessions/seal.ts";
import type { Store } from "../store/store.ts";
import { StoreProblem } from "../store/storeProblem.ts";
import type { KeptTask } from "./keptTask.ts";

/** The tasks of one server in a store. Each is sealed by its id, which only its client knows. */
export class TaskShelf {
	readonly #store: Store;
	readonly #space: string;

	constructor(store: Store, scope: string) {
		this.#store = store;
		this.#space = `task ${scope}`;
	}

	/** Resolves when the task survives the end of the machine. */
	async put(task: KeptTask): Promise<void> {
		const seal = sealOf(task.taskId);
		const expiresAt = Date.parse(task.createdAt) + task.ttlMs;
		const row = { space: this.#space, key: seal.name, value: seal.close(JSON.stringify(task)), expiresAt };
		await this.#store.write({ writes: [{ kind: "set-value", row }], durability: "sync" });
	}

	async find(taskId: string): Promise<KeptTask | undefined> {
		const seal = sealOf(taskId);
		const row = await this.#store.value(this.#space, seal.name);
		if (row === undefined) return undefined;
		try {
			return JSON.parse(seal.open(row.value)) as KeptTask;
		} catch (error) {
			throw error instanceof StoreProblem
				? error
				: new StoreProblem("DAMAGED", "a task cannot be read", { cause: error });
		}
	}

	async drop(taskId: string): Promise<void> {
		const write = { kind: "unset-value", space: this.#space, key: sealOf(taskId).name } as const;
		await this.#store.write({ writes: [write], durability: "async" });
	}
}
