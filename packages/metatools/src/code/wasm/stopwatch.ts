import { deadlineText } from "../limits.ts";

/** Tells when code must stop: at its deadline, when its processor time is used up, or when the host says so. */
export class Stopwatch {
	readonly #wallMs: number;
	readonly #cpuMs: number;
	readonly #flagged: () => boolean;
	readonly #startedAt = performance.now();
	readonly #cpuStart = threadCpuMs();
	#verdict: StopVerdict | undefined;

	constructor(wallMs: number, cpuMs: number, flagged: () => boolean) {
		this.#wallMs = wallMs;
		this.#cpuMs = cpuMs;
		this.#flagged = flagged;
	}

	/** Once a verdict is given it stays. */
	check(): StopVerdict | undefined {
		this.#verdict ??= this.#look();
		return this.#verdict;
	}

	#look(): StopVerdict | undefined {
		if (this.#flagged()) return { kind: "stopped", text: "" };
		if (performance.now() - this.#startedAt >= this.#wallMs)
			return { kind: "deadline", text: deadlineText("running", this.#wallMs) };
		if (threadCpuMs() - this.#cpuStart >= this.#cpuMs)
			return { kind: "cpu", text: `The code used up its ${this.#cpuMs} ms of processor time.` };
		return undefined;
	}
}

export type StopVerdict = { readonly kind: "stopped" | "deadline" | "cpu"; readonly text: string };

/** Older Node cannot measure one thread; there only the wall clock bounds the run. */
function threadCpuMs(): number {
	if (typeof process.threadCpuUsage !== "function") return 0;
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1_000;
}
