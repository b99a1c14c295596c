import type { JsonlLog } from "./jsonlLog.ts";
import type { TelemetryRecord, TelemetrySink } from "./record.ts";

const WAIT_MS = 25;
const MAX_WAITING = 128;

/** Keeps logging off the path of calls: their records are written shortly after in batches, all others at once. */
export class DeferredLog implements TelemetrySink {
	readonly #log: JsonlLog;
	#waiting: TelemetryRecord[] = [];
	#timer: NodeJS.Timeout | undefined;

	constructor(log: JsonlLog) {
		this.#log = log;
	}

	record(record: TelemetryRecord): void {
		this.#waiting.push(record);
		if (record.event !== "call" || this.#waiting.length >= MAX_WAITING) this.#flush();
		else this.#timer ??= setTimeout(() => this.#flush(), WAIT_MS);
	}

	close(): void {
		this.#flush();
		this.#log.close();
	}

	#flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const records = this.#waiting;
		this.#waiting = [];
		this.#log.recordAll(records);
	}
}
