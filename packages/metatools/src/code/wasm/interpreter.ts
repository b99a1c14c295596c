import { createRequire } from "node:module";
import {
	newQuickJSWASMModuleFromVariant,
	newVariant,
	type QuickJSContext,
	type QuickJSHandle,
	type QuickJSRuntime,
	type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { guestStackBytes } from "../engine.ts";
import type { HostReply } from "../guestMessage.ts";
import { type HostFunction, prelude } from "../prelude.ts";
import { BoundedMemory, type WasmModule } from "./webAssembly.ts";

// Loaded with `require`, because the package's types describe the default export only for CommonJS.
const { default: variant }: { default: QuickJSSyncVariant } = createRequire(import.meta.url)(
	"@jitl/quickjs-wasmfile-release-sync",
);

export type EvalProblem = { readonly name: string; readonly message: string; readonly stack: string };

/** One WASM instance with one QuickJS context, for one run: it is dropped afterwards, never cleaned and reused. */
export class Interpreter {
	readonly #runtime: QuickJSRuntime;
	readonly #context: QuickJSContext;
	readonly #memory: BoundedMemory;
	#settle: QuickJSHandle | undefined;

	static async create(wasmModule: WasmModule, memoryBytes: number): Promise<Interpreter> {
		const bounded = new BoundedMemory(memoryBytes);
		const wasm = newVariant(variant, { wasmModule, wasmMemory: bounded.memory });
		const instance = await newQuickJSWASMModuleFromVariant(wasm);
		return new Interpreter(instance.newRuntime(), bounded);
	}

	private constructor(runtime: QuickJSRuntime, memory: BoundedMemory) {
		this.#runtime = runtime;
		this.#memory = memory;
		runtime.setMemoryLimit(memory.bytes);
		runtime.setMaxStackSize(guestStackBytes);
		this.#context = runtime.newContext();
	}

	/** Starts the script; what it does later happens in `runJobs`. The result says what kept it from starting. */
	start(
		script: string,
		host: HostFunction,
		options: { seed: number | null; interrupted: () => boolean },
	): EvalProblem | undefined {
		this.#runtime.setInterruptHandler(options.interrupted);
		const context = this.#context;
		const build = context.evalCode(`${HARDENING}(${prelude.toString()})`, "prelude.js");
		const seed = options.seed === null ? context.null : context.newNumber(options.seed);
		const controls = context
			.callFunction(context.unwrapResult(build), context.undefined, this.#hostHandle(host), seed)
			.unwrap();
		this.#settle = context.getProp(controls, "settle");
		const main = context.evalCode(script, "code.js");
		if (main.error) return this.#problem(main.error);
		const started = context.callFunction(context.getProp(controls, "start"), context.undefined, main.value);
		return started.error ? this.#problem(started.error) : undefined;
	}

	settle({ id, ok, text }: HostReply): EvalProblem | undefined {
		const context = this.#context;
		if (this.#settle === undefined) return undefined;
		const idHandle = context.newNumber(id);
		const textHandle = context.newString(text);
		const result = context.callFunction(
			this.#settle,
			context.undefined,
			idHandle,
			ok ? context.true : context.false,
			textHandle,
		);
		idHandle.dispose();
		textHandle.dispose();
		if (result.error) return this.#problem(result.error);
		result.value.dispose();
		return undefined;
	}

	/** Runs at most `count` jobs; `more` says whether any is left. */
	runJobs(count: number): { more: boolean; problem?: EvalProblem } {
		const result = this.#runtime.executePendingJobs(count);
		const more = this.#runtime.hasPendingJob();
		return result.error ? { more, problem: this.#problem(result.error) } : { more };
	}

	get hasUsedUpMemory(): boolean {
		return this.#memory.isUsedUp;
	}

	#hostHandle(host: HostFunction): QuickJSHandle {
		const context = this.#context;
		return context.newFunction("host", (kind, text) => {
			// Only primitive strings cross: nothing here can run the guest's code.
			if (context.typeof(kind) !== "string" || context.typeof(text) !== "string") return context.newString("");
			return context.newString(host(context.getString(kind), context.getString(text)));
		});
	}

	#problem(error: QuickJSHandle): EvalProblem {
		return {
			name: this.#text(error, "name"),
			message: this.#text(error, "message"),
			stack: this.#text(error, "stack"),
		};
	}

	#text(error: QuickJSHandle, key: string): string {
		const handle = this.#context.getProp(error, key);
		return this.#context.typeof(handle) === "string" ? this.#context.getString(handle).slice(0, 2_000) : "";
	}
}

/** Without shared memory, guest code cannot build a high-resolution clock. */
const HARDENING = "delete globalThis.SharedArrayBuffer;";
