import type { Fault } from "../../fault/fault.ts";
import { type FaultCode, faultOf } from "../../fault/faultTable.ts";
import type { GarbageLimits } from "../settings/options.ts";

const WINDOW_MS = 60_000;
const BURST_GAP_MS = 1_000;

export type GarbageVerdict = { readonly fault?: Fault; readonly replace: boolean };

/** Counts a worker's output that is not protocol: one fault per burst, and replacement past the limit. */
export class GarbageWatch {
	readonly #limits: GarbageLimits;
	readonly #generation: number;
	#lines = 0;
	#bytes = 0;
	#since = 0;
	#last = Number.NEGATIVE_INFINITY;

	constructor(limits: GarbageLimits, generation: number) {
		this.#limits = limits;
		this.#generation = generation;
	}

	saw(bytes: number, now: number = performance.now()): GarbageVerdict {
		if (now - this.#since > WINDOW_MS) {
			this.#since = now;
			this.#lines = 0;
			this.#bytes = 0;
		}
		this.#lines++;
		this.#bytes += bytes;
		const newBurst = now - this.#last > BURST_GAP_MS;
		this.#last = now;
		if (this.#lines > this.#limits.lines || this.#bytes > this.#limits.bytes) {
			return { fault: this.#fault("garbage_flood", "replace_worker"), replace: true };
		}
		return newBurst ? { fault: this.#fault("garbage_output", "keep_worker"), replace: false } : { replace: false };
	}

	#fault(code: FaultCode, hint: Fault["hint"]): Fault {
		const detail = `${this.#lines} lines (${this.#bytes} bytes) on stdout that are no protocol message`;
		return faultOf(code, { detail, generation: this.#generation, hint });
	}
}
