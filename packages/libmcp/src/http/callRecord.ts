import type { Buffer } from "node:buffer";
import type { ReplayContract } from "../replay/decide.ts";
import type { SessionJournal } from "../sessions/sessionJournal.ts";
import { weakerOf } from "../store/applyWrite.ts";

/**
 * What the ledger knows of one request of a kept session. A request that is answered before its client has an event id to
 * come back with leaves no row: if the process dies, that client learns by its connection that it knows nothing.
 */
export class CallRecord {
	readonly #journal: SessionJournal;
	readonly #request: Buffer;
	#call: number | undefined;
	#contract: ReplayContract | undefined;
	#isOver: boolean = false;

	/** `kept` is the number of a call that is in the ledger already. */
	constructor(journal: SessionJournal, request: Buffer, kept?: number) {
		this.#journal = journal;
		this.#request = request;
		this.#call = kept;
	}

	/** Its client is about to get an event id of this stream, and so the promise of one answer. */
	acknowledge(stream: number): void {
		if (this.#call !== undefined) return;
		this.#call = stream;
		this.#journal.accept(stream, this.#request.toString("utf8"));
		if (this.#contract !== undefined) this.#journal.dispatch(stream, this.#contract);
	}

	/** Called before it can take effect; what may not be repeated waits until that is written. */
	dispatching(contract: ReplayContract): Promise<void> | undefined {
		if (this.#isOver) return undefined;
		const before = this.#contract;
		this.#contract = before === undefined ? contract : weakerOf(before, contract);
		if (this.#call === undefined || before === this.#contract) return undefined;
		this.#journal.dispatch(this.#call, this.#contract);
		return this.#contract === "convergent" ? undefined : this.#journal.settled();
	}

	/** Its stream has had its last event. */
	answered(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		if (this.#call !== undefined) this.#journal.answer(this.#call, this.#contract ?? "convergent");
	}
}
