/** What became of a call, as its caller was told. */
export type Fate = "answered" | "in doubt" | "abandoned";

/** Every call that may take effect once, by its id; and the safe ones, by count. */
export class Tally {
	readonly fates = new Map<string, Fate>();
	safe = 0;
	/** Failures nobody should have been given, with their text. */
	readonly wrong: string[] = [];
	#next = 0;

	newId(): string {
		return `call-${this.#next++}`;
	}

	/** A call that changes nothing must be answered whatever dies. */
	async safely(call: () => Promise<unknown>): Promise<void> {
		try {
			await call();
			this.safe += 1;
		} catch (error) {
			this.wrong.push(String(error).slice(0, 600));
		}
	}

	/** A call that must not repeat is answered, or its caller is told that nobody knows. */
	async once(id: string, call: () => Promise<unknown>): Promise<void> {
		try {
			await call();
			this.fates.set(id, "answered");
		} catch (error) {
			const text = String(error) + JSON.stringify(error);
			if (/ambiguous_outcome|outcome_unknown|may or may not have taken effect/.test(text))
				this.fates.set(id, "in doubt");
			else this.wrong.push(text.slice(0, 600));
		}
	}

	/** Calls that were lost or doubled, given every effect there was. */
	discrepancies(effects: readonly string[]): string[] {
		const times = new Map<string, number>();
		for (const id of effects) times.set(id, (times.get(id) ?? 0) + 1);
		return [...this.fates].flatMap(([id, fate]) => {
			const count = times.get(id) ?? 0;
			if (count > 1) return [`${id} took effect ${count} times`];
			return fate === "answered" && count === 0 ? [`${id} was answered and took no effect`] : [];
		});
	}

	count(fate: Fate): number {
		return [...this.fates.values()].filter((one) => one === fate).length;
	}
}
