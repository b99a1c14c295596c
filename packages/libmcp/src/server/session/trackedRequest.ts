import { createFaultResponse } from "../../fault/faultResponse.ts";
import { makeFault } from "../../fault/faultTable.ts";
import { RpcError } from "../../fault/rpcError.ts";
import type { ReplayContract } from "../../replay/decide.ts";
import { findMethodEffect, REPLAY_SAFE } from "../../replay/effect.ts";
import type { RequestEnvelope } from "../../wire/envelope.ts";
import type { RequestId } from "../../wire/requestId.ts";
import { type Answer, errorAnswer, type Outlet, refusalAnswer } from "../protocol/outlet.ts";

export type Cancellable = { cancel(reason: string): void };

/** The running work of a request that was started; undefined when it is already finished. */
export type Begun = Cancellable | undefined | Promise<Cancellable | undefined>;

/** A request whose id stays in use until it ends; it can be cancelled even before its work has started. */
export class TrackedRequest implements Outlet, Cancellable {
	readonly #request: Pick<RequestEnvelope, "id" | "method">;
	readonly #outlet: Outlet;
	readonly #over: () => void;
	#work: Cancellable | undefined;
	#cancelled: string | undefined;
	#finished: boolean = false;

	constructor(request: Pick<RequestEnvelope, "id" | "method">, outlet: Outlet, over: () => void) {
		this.#request = request;
		this.#outlet = outlet;
		this.#over = over;
	}

	/** False once it is answered or cancelled. */
	get isOpen(): boolean {
		return !this.#finished && this.#cancelled === undefined;
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
		if (this.isOpen) this.#outlet.emit(text);
	}

	dispatching(contract: ReplayContract): Promise<void> | undefined {
		return this.#outlet.dispatching?.(contract);
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

	/** Answers in place of the work, and stops it. */
	giveUp(reason: string): void {
		this.finish(answerGivenUp(this.#request.id, this.#request.method, reason));
		this.cancel(reason);
	}

	#begun(work: Cancellable | undefined): void {
		this.#work = work;
		if (this.#cancelled !== undefined) work?.cancel(this.#cancelled);
	}

	#refuse(error: unknown): void {
		this.finish(refusalAnswer(this.#request.id, error));
	}
}

/** Answers a request whose handler is not waited for any longer, with what a host says of such a request. */
export function answerGivenUp(id: RequestId, method: string, reason: string): Answer {
	const detail = `${method.slice(0, 64)} was begun and not answered: ${reason}`;
	// Nobody here knows what a tool does, so a call of one may have taken effect.
	const fault = findMethodEffect(method) === REPLAY_SAFE ? "host_closing" : "outcome_unknown";
	const { code, message, data } = createFaultResponse(makeFault(fault, { detail }));
	return errorAnswer(id, new RpcError(code, message, data));
}
