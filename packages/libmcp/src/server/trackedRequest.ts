import type { RequestId } from "../wire/requestId.ts";
import { type Answer, errorAnswer, type Outlet } from "./outlet.ts";

export type Cancellable = { cancel(reason: string): void };

/** The running work of a request that was started; undefined when it is already finished. */
export type Begun = Cancellable | undefined | Promise<Cancellable | undefined>;

/** A request whose id stays in use until it ends; it can be cancelled even before its work has started. */
export class TrackedRequest implements Outlet, Cancellable {
	readonly #id: RequestId;
	readonly #outlet: Outlet;
	readonly #over: () => void;
	#work: Cancellable | undefined;
	#cancelled: string | undefined;
	#finished: boolean = false;

	constructor(id: RequestId, outlet: Outlet, over: () => void) {
		this.#id = id;
		this.#outlet = outlet;
		this.#over = over;
	}

	begin(begin: () => Begun): void {
		try {
			const begun = begin();
			// Awaited only if necessary: a plain call must reach its dispatcher in this turn.
			if (begun instanceof Promise)
				begun.then(
					(work) => this.#begun(work),
					(error: unknown) => this.#refuse(error),
				);
			else this.#begun(begun);
		} catch (error) {
			this.#refuse(error);
		}
	}

	emit(text: string): void {
		if (!this.#finished && this.#cancelled === undefined) this.#outlet.emit(text);
	}

	finish(answer: Answer | undefined): void {
		if (this.#finished) return;
		this.#finished = true;
		this.#over();
		this.#outlet.finish(this.#cancelled === undefined ? answer : undefined);
	}

	cancel(reason: string): void {
		this.#cancelled ??= reason;
		this.#work?.cancel(reason);
	}

	#begun(work: Cancellable | undefined): void {
		this.#work = work;
		if (this.#cancelled !== undefined) work?.cancel(this.#cancelled);
	}

	#refuse(error: unknown): void {
		this.finish(errorAnswer(this.#id, error, true));
	}
}
