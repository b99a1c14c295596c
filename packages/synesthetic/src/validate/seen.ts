/**
 * The members and items of one value that were evaluated so far; `true` means all. If the value failed, this includes
 * members and items that failed or were refused, so that they are not reported again as unevaluated.
 */
export class Seen {
	properties: Set<string> | true = new Set();
	items: number | true = 0;
	readonly scattered: Set<number> = new Set();

	property(key: string): void {
		if (this.properties !== true) this.properties.add(key);
	}

	has(key: string): boolean {
		return this.properties === true || this.properties.has(key);
	}

	hasItem(index: number): boolean {
		return this.items === true || index < this.items || this.scattered.has(index);
	}

	/** Call for a failed choice: nobody knows which members and items it would have evaluated. */
	everything(): void {
		this.properties = true;
		this.items = true;
	}

	merge(other: Seen): void {
		if (other.properties === true) this.properties = true;
		else for (const key of other.properties) this.property(key);
		if (other.items === true) this.items = true;
		else if (this.items !== true) this.items = Math.max(this.items, other.items);
		for (const index of other.scattered) this.scattered.add(index);
	}
}
