/** The source of a value, and the node that first gave it to the variable. */
type Taint = { readonly source: string; readonly since: number };

/** The variables and places whose values come from a source, at the node that is being read. */
export class TaintedNames {
	readonly #taints = new Map<string, Taint>();
	/** What was overwritten in code that may be skipped, and the node at which the taint returns; the innermost last. */
	readonly #hidden: { readonly name: string; readonly taint: Taint; readonly until: number }[] = [];
	/** The names that have a meaning of their own up to a node, and what they meant before. */
	readonly #lent: { readonly name: string; readonly before: Taint | undefined; readonly until: number }[] = [];

	sourceOf(name: string): string | undefined {
		return this.#taints.get(name)?.source;
	}

	add(name: string, source: string, node: number): void {
		this.#taints.set(name, { source, since: this.#taints.get(name)?.since ?? node });
	}

	/** For the parameters of a function, which end with it. */
	lend(name: string, source: string, node: number, until: number): void {
		this.#lent.push({ name, before: this.#taints.get(name), until });
		this.add(name, source, node);
	}

	/** After `if (!id) id = "1"`, whose arm may be skipped, the value may still be the one from before. */
	clear(name: string, arm: () => { readonly from: number; readonly to: number } | undefined): void {
		const taint = this.#taints.get(name);
		if (taint === undefined) return;
		this.#taints.delete(name);
		const skipped = arm();
		if (skipped !== undefined && (taint.since < skipped.from || taint.since >= skipped.to))
			this.#hidden.push({ name, taint, until: skipped.to });
	}

	/** Ends what holds only up to a node. */
	reach(node: number): void {
		for (let last = this.#lent.at(-1); last !== undefined && last.until <= node; last = this.#lent.at(-1)) {
			this.#lent.pop();
			if (last.before === undefined) this.#taints.delete(last.name);
			else this.#taints.set(last.name, last.before);
		}
		for (let last = this.#hidden.at(-1); last !== undefined && last.until <= node; last = this.#hidden.at(-1)) {
			this.#hidden.pop();
			if (!this.#taints.has(last.name)) this.#taints.set(last.name, last.taint);
		}
	}
}
