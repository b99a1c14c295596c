import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { loadInterpreterModule, type WasmModule } from "./webAssembly.ts";
import type { FromWorker, ToWorker, WorkerData } from "./workerMessage.ts";

/** One worker thread as the host sees it. Its holder listens; without a holder it only waits. */
export class WorkerSlot {
	readonly #worker: Worker;
	readonly #stopFlag: Int32Array<SharedArrayBuffer>;
	#listener: WorkerListener | undefined;
	alive = true;
	runs = 0;

	static async create(memoryBytes: number, onDeath: (slot: WorkerSlot) => void): Promise<WorkerSlot> {
		return new WorkerSlot(await loadInterpreterModule(), memoryBytes, onDeath);
	}

	private constructor(wasmModule: WasmModule, memoryBytes: number, onDeath: (slot: WorkerSlot) => void) {
		this.#stopFlag = new Int32Array(new SharedArrayBuffer(4));
		const data: WorkerData = { stopFlag: this.#stopFlag, wasmModule, memoryBytes };
		// The worker has the same extension as this file: .ts in the sources, .js once built.
		this.#worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
			workerData: data,
			env: {},
			execArgv: ["--disable-warning=ExperimentalWarning"],
			// Captured but not read: only an aborting engine prints there, and reading would keep the process alive.
			stdout: true,
			stderr: true,
			resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
		});
		this.#worker.unref();
		this.#worker.on("message", (message: FromWorker) => this.#listener?.onMessage(message));
		this.#worker.on("error", () => this.#die(onDeath));
		this.#worker.on("exit", () => this.#die(onDeath));
	}

	/** While held, the thread keeps the process alive. */
	hold(listener: WorkerListener): void {
		Atomics.store(this.#stopFlag, 0, 0);
		this.#listener = listener;
		this.#worker.ref();
	}

	letGo(): void {
		this.#listener = undefined;
		this.#worker.unref();
	}

	post(message: ToWorker): void {
		this.#worker.postMessage(message);
	}

	/** Stops running code through the shared flag, and waiting code through a message. */
	stop(): void {
		Atomics.store(this.#stopFlag, 0, 1);
		this.post({ to: "stop" });
	}

	async terminate(): Promise<void> {
		this.alive = false;
		await this.#worker.terminate();
	}

	#die(onDeath: (slot: WorkerSlot) => void): void {
		const listener = this.#listener;
		this.#listener = undefined;
		this.alive = false;
		listener?.onDeath();
		onDeath(this);
	}
}

export type WorkerListener = { onMessage(message: FromWorker): void; onDeath(): void };
