import { setFlagsFromString } from "node:v8";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { DecompressionGate } from "../segment/compression.ts";

/** The data that every gated thread receives. */
export type GatedThreadData = { readonly gates: readonly Int32Array[] };

type Options = Required<Pick<WorkerOptions, "resourceLimits">> & Pick<WorkerOptions, "stdout">;

/** A thread that reads the index and can be terminated safely at any time. */
export class GatedThread extends Worker {
	readonly #gate: DecompressionGate;

	/** `program` is a module beside `url`, without its extension. */
	constructor(program: string, url: string, options: Options, data: object = {}) {
		const gate = new DecompressionGate();
		// A young-generation size set for the process would override the thread's own limit.
		setFlagsFromString("--max-semi-space-size=0");
		super(new URL(`${program}.${url.endsWith(".ts") ? "ts" : "js"}`, url), {
			...options,
			execArgv: ["--disable-warning=ExperimentalWarning"],
			workerData: { ...data, gates: gate.gates } satisfies GatedThreadData,
		});
		this.#gate = gate;
	}

	override async terminate(): Promise<number> {
		await this.#gate.shut();
		return super.terminate();
	}
}
