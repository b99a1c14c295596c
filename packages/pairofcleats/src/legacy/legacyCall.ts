import { looseRequestId, ProgressPacer, type RequestId } from "libmcp";
import { CleatsError } from "../contract/errors.ts";
import { requestIdOfRpc } from "../contract/requestId.ts";
import { isToolName, type ToolName } from "../registry/registry.ts";
import type { ToolRunner } from "../tools/toolRunner.ts";
import type { ProgressReport } from "../workspace/toolCall.ts";
import { errorResult, successResult } from "./payloads.ts";

export type Speak = {
	result(id: RequestId, value: unknown): void;
	notify(method: string, params: Readonly<Record<string, unknown>>): void;
};

/** One tools/call in progress; answered exactly once, even if completion and cancellation race. */
export class LegacyCall {
	readonly #id: RequestId;
	readonly #speak: Speak;
	readonly #over: () => void;
	readonly #controller = new AbortController();
	readonly #pacer: ProgressPacer;
	#latest: (ProgressReport & { readonly tool: string }) | undefined;
	#reports = 0;
	#answered: boolean = false;

	constructor(id: RequestId, speak: Speak, over: () => void) {
		this.#id = id;
		this.#speak = speak;
		this.#over = over;
		this.#pacer = new ProgressPacer(() => this.#tellProgress());
	}

	async run(runner: ToolRunner, params: Readonly<Record<string, unknown>>): Promise<void> {
		try {
			const name = nameOf(params);
			const { validateArguments } = await import("../tools/validateArguments.ts");
			const args = validateArguments(name, params.arguments);
			const envelope = await runner.run(name, args, {
				requestId: requestIdOfRpc(looseRequestId(this.#id)),
				signal: this.#controller.signal,
				written: true,
				onProgress: (report) => this.#progress(name, report),
			});
			const shown = args.render === "porcelain" ? name : undefined;
			this.#answer(envelope.ok ? successResult(envelope, shown) : errorResult(envelope.error));
		} catch (thrown) {
			this.#answer(errorResult(thrown));
		}
	}

	/** Answers immediately and tells the work to stop. */
	cancel(): void {
		this.#answer(errorResult(new CleatsError("CANCELLED", "the request was cancelled")));
		this.#controller.abort(new DOMException("the client cancelled the request", "AbortError"));
	}

	/** Stops the work without answering, because the connection is closed. */
	drop(): void {
		this.#answered = true;
		this.#pacer.finish();
		this.#controller.abort(new DOMException("the connection is closed", "AbortError"));
	}

	#answer(result: unknown): void {
		if (this.#answered) return;
		this.#answered = true;
		this.#pacer.finish();
		this.#over();
		this.#speak.result(this.#id, result);
	}

	#progress(tool: string, report: ProgressReport): void {
		this.#latest = { ...report, tool };
		this.#pacer.update({ progress: ++this.#reports });
	}

	#tellProgress(): void {
		if (this.#latest === undefined) return;
		const { tool, message, phase } = this.#latest;
		const id: unknown = JSON.parse(this.#id);
		this.#speak.notify("notifications/progress", {
			id,
			tool,
			message,
			stream: "info",
			phase,
			ts: new Date().toISOString(),
		});
	}
}

/** On this transport an unknown tool is an invalid request. */
function nameOf({ name }: Readonly<Record<string, unknown>>): ToolName {
	if (isToolName(name)) return name;
	throw new CleatsError("INVALID_REQUEST", `name: expected a tool, got ${JSON.stringify(name ?? null).slice(0, 64)}`);
}
