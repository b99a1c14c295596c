/** What a host has opened beside its session. Whatever is added after the end is stopped at once. */
export class Attachments {
	readonly #stops: (() => void)[] = [];
	#closed: boolean = false;

	add(stop: () => void): void {
		if (this.#closed) stop();
		else this.#stops.push(stop);
	}

	close(): void {
		this.#closed = true;
		for (const stop of this.#stops.splice(0)) stop();
	}
}
