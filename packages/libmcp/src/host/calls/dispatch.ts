import type { Buffer } from "node:buffer";
import { BoundedQueue, createOverloadFault } from "../../admission/boundedQueue.ts";
import type { Fault } from "../../fault/fault.ts";
import { makeFault } from "../../fault/faultTable.ts";
import type { Port } from "../client/clientPort.ts";
import type { Session } from "../session/session.ts";
import type { Settings } from "../settings/settings.ts";
import type { HostRecord } from "../state/hostRecord.ts";
import type { Roster } from "../state/roster.ts";
import type { Call } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import type { ContractBook } from "./contractBook.ts";
import type { Ledger } from "./ledger.ts";
import { createGivenUpFault } from "./replayFaults.ts";
import { Trials } from "./trials.ts";

/** A queue entry: a call, or bytes to the worker or the client that must keep their place among the calls. */
type Waiting = Call | { readonly toWorker: Buffer } | { readonly toClient: Buffer };

/** What the queue needs of the host. */
export type DispatchParts = {
	readonly settings: Pick<Settings, "maxQueue" | "maxInFlight" | "sequential">;
	readonly record: Pick<HostRecord, "replayed">;
	readonly roster: Pick<Roster, "active" | "workers" | "generation" | "outage">;
	readonly port: Pick<Port, "send">;
	readonly session: Pick<Session, "claiming">;
	readonly book: ContractBook;
	readonly ledger: Ledger;
};

/** Limit on the bytes of all requests kept for a possible replay. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** Decides what goes to the worker next: calls in doubt first, one at a time, then everything else in order. */
export class Dispatch {
	readonly #parts: DispatchParts;
	readonly #fresh: BoundedQueue<Waiting>;
	readonly trials: Trials;
	/** Bytes of the queued notifications. */
	#notedBytes = 0;

	constructor(parts: DispatchParts) {
		this.#parts = parts;
		this.#fresh = new BoundedQueue(parts.settings.maxQueue);
		this.trials = new Trials(parts, { send: (call, worker) => this.send(call, worker), pump: () => this.pump() });
	}

	/** True when nothing waits for a worker. */
	get idle(): boolean {
		return this.#fresh.size + this.trials.waiting === 0;
	}

	/** The number of calls that wait: those in doubt and those not yet begun. */
	get waiting(): number {
		return this.line().calls.length;
	}

	submit(call: Call): void {
		const { ledger, roster } = this.#parts;
		if (ledger.bytes > MAX_HELD_BYTES && ledger.size > 1) {
			ledger.fail(call, heldFault(ledger.bytes, roster.generation));
			return;
		}
		const keeper = this.#keeperOf(call);
		if (keeper !== undefined) {
			this.send(call, keeper);
			return;
		}
		const worker = this.#open();
		if (worker !== undefined && this.#fresh.size === 0) {
			this.send(call, worker);
			return;
		}
		const outage = roster.outage();
		if (outage !== undefined) {
			ledger.fail(call, outage);
			return;
		}
		const overload = this.#fresh.push(call);
		if (overload !== undefined) ledger.fail(call, createOverloadFault(overload, roster.generation), overload);
	}

	/** Queues a client notification in its place among the calls; a full queue drops it, as the protocol allows. */
	notify(frame: Buffer): void {
		const worker = this.#open();
		if (worker !== undefined && this.#fresh.size === 0) worker.send(frame);
		else if (this.#notedBytes + frame.length <= MAX_HELD_BYTES && this.#fresh.push({ toWorker: frame }) === undefined)
			this.#notedBytes += frame.length;
	}

	/** Sends an answer made by the host; in sequential mode it waits for the answers before it. */
	answer(frame: Buffer): void {
		const idle = this.#fresh.size === 0 && this.#parts.ledger.size === 0;
		if (!this.#parts.settings.sequential || idle || this.#fresh.push({ toClient: frame }) !== undefined) {
			this.#parts.port.send(frame);
		}
	}

	/** Queues calls that were lost with their worker and may run again. */
	suspect(calls: readonly Call[]): void {
		this.trials.add(calls);
		this.pump();
	}

	/** Removes a call that has not been dispatched from the queue. */
	remove(call: Call): void {
		this.#fresh.remove(call);
		this.trials.remove(call);
	}

	/** Sends the worker as much as it can take. Called whenever capacity may have become free. */
	pump(): void {
		for (;;) {
			const ready = this.#parts.roster.active;
			if (ready?.ready === true && this.trials.waiting > 0 && !this.trials.busy && !ready.blocked) {
				this.trials.next(ready);
				continue;
			}
			const worker = this.#open();
			if (worker === undefined) return;
			const next = this.#shift();
			if (next === undefined) return;
			if ("toWorker" in next) worker.send(next.toWorker);
			else if ("toClient" in next) this.#parts.port.send(next.toClient);
			else if (next.knowledge !== "completed") this.send(next, worker);
		}
	}

	/** All queue entries in order, without removing them. */
	line(): { readonly calls: Call[]; readonly toWorker: Buffer[]; readonly toClient: Buffer[] } {
		const calls = [...this.trials.suspects];
		const toWorker: Buffer[] = [];
		const toClient: Buffer[] = [];
		for (const item of this.#fresh) {
			if ("toWorker" in item) toWorker.push(item.toWorker);
			else if ("toClient" in item) toClient.push(item.toClient);
			else if (item.knowledge !== "completed") calls.push(item);
		}
		return { calls, toWorker, toClient };
	}

	/** Fails all waiting calls, since no worker will be available for a while. */
	failWaiting(fault: Fault): void {
		const { port, ledger, book } = this.#parts;
		for (let next = this.#shift(); next !== undefined; next = this.#shift()) {
			if ("toClient" in next) port.send(next.toClient);
			else if (!("toWorker" in next)) ledger.fail(next, fault);
		}
		for (const call of this.trials.clear()) ledger.fail(call, createGivenUpFault(call, book.contract(call), fault));
	}

	/** The dispatch boundary: from here on the call may have taken effect, even if the bytes never arrive. */
	send(call: Call, worker: Worker): void {
		// The effect of any other method never changes.
		if (call.tool !== undefined) call.promised = this.#parts.book.promised(call);
		if (call.knowledge === "outcome_unknown") {
			call.replays++;
			this.#parts.record.replayed(call, worker.generation);
		}
		call.knowledge = "in_flight";
		call.dispatched = true;
		call.worker = worker;
		call.deadline?.progress();
		worker.send(worker.calls.take(call));
	}

	#shift(): Waiting | undefined {
		const next = this.#fresh.shift();
		if (next !== undefined && "toWorker" in next) this.#notedBytes -= next.toWorker.length;
		return next;
	}

	/** The worker of an earlier release that alone knows the task this call is about. */
	#keeperOf(call: Call): Worker | undefined {
		const { workers, active } = this.#parts.roster;
		for (const worker of workers) if (worker !== active && !worker.over && worker.tasks.has(call)) return worker;
		return undefined;
	}

	/** The worker that may get a new call now. */
	#open(): Worker | undefined {
		const worker = this.#parts.roster.active;
		if (worker?.ready !== true || this.trials.busy || this.trials.waiting > 0) return undefined;
		// If the worker dies during its handshake, it must not hold calls that may not run twice.
		if (worker.calls.inHandshake) return undefined;
		return worker.blocked || worker.calls.size >= this.#parts.settings.maxInFlight ? undefined : worker;
	}
}

function heldFault(bytes: number, generation: number): Fault {
	return makeFault("queue_overloaded", {
		detail: `${bytes} bytes of requests are held; at most ${MAX_HELD_BYTES} may be`,
		generation,
	});
}
