import type { Fault } from "../fault/fault.ts";
import { makeFault } from "../fault/faultTable.ts";

/** Returned to a caller when the queue is full. */
export type QueueOverload = { readonly code: "QUEUE_OVERLOADED"; readonly max: number; readonly size: number };

/** A FIFO queue with a limit: `push` returns the overload instead of growing past `max`. */
export class BoundedQueue<T> {
	readonly max: number;
	#items: (T | undefined)[] = [];
	#head = 0;

	constructor(max: number) {
		if (!Number.isSafeInteger(max) || max < 0) {
			throw new RangeError(`max: expected a whole number, zero or more, got ${String(max)}`);
		}
		this.max = max;
	}

	get size(): number {
		return this.#items.length - this.#head;
	}

	push(item: T): QueueOverload | undefined {
		if (this.size >= this.max) return { code: "QUEUE_OVERLOADED", max: this.max, size: this.size };
		this.#items.push(item);
		return undefined;
	}

	shift(): T | undefined {
		if (this.size === 0) return undefined;
		const item = this.#items[this.#head];
		this.#items[this.#head++] = undefined;
		// Drops the consumed front only once it is the larger half, so that `shift` stays cheap on average.
		if (this.#head > 32 && this.#head * 2 > this.#items.length) {
			this.#items = this.#items.slice(this.#head);
			this.#head = 0;
		}
		return item;
	}

	/** Removes one item from anywhere in the queue; true when it was there. */
	remove(item: T): boolean {
		const index = this.#items.indexOf(item, this.#head);
		if (index === -1) return false;
		this.#items.splice(index, 1);
		return true;
	}

	*[Symbol.iterator](): IterableIterator<T> {
		for (let index = this.#head; index < this.#items.length; index++) {
			const item = this.#items[index];
			if (item !== undefined) yield item;
		}
	}
}

/** The fault that a caller gets when the queue is full. */
export function createOverloadFault(overload: QueueOverload, generation: number): Fault {
	return makeFault("queue_overloaded", {
		detail: `${overload.size} calls wait; at most ${overload.max} may`,
		generation,
		retry: "later",
	});
}

/** A map or a set, whose keys come in the order of their arrival. */
type Kept<Key> = Pick<Map<Key, unknown>, "size" | "keys" | "delete">;

/** Makes room for one more by dropping the oldest, if there are as many as there may be; returns what was dropped. */
export function makeRoom<Key>(kept: Kept<Key>, most: number): Key | undefined {
	const [oldest] = kept.size >= most ? kept.keys() : [];
	if (oldest !== undefined) kept.delete(oldest);
	return oldest;
}
