/** Steps that close what was opened. They run once, newest first, and all of them even if some fail. */
export class ClosingSteps {
	readonly #steps: (() => void | Promise<void>)[] = [];
	#ended: Promise<void> | undefined;

	add(step: () => void | Promise<void>): void {
		this.#steps.push(step);
	}

	/** Rejects with what failed, after every step has run. */
	run(): Promise<void> {
		this.#ended ??= this.#runAll();
		return this.#ended;
	}

	async #runAll(): Promise<void> {
		const failures: unknown[] = [];
		for (const step of this.#steps.toReversed()) {
			try {
				await step();
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length === 1) throw failures[0];
		if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join("; "));
	}
}
