import { looseRequestId, ProgressPacer, type RequestId } from "libmcp";
import { type EnvelopeError, requestIdOfRpc, type SuccessEnvelope } from "../contract/envelope.ts";
import { CleatsError, ERROR_TABLE, toCleatsError } from "../contract/errors.ts";
import { isToolName, type ToolName } from "../registry/registry.ts";
import { writeEnvelope } from "../searching/writtenSearch.ts";
import { renderEnvelope } from "../server/renderResult.ts";
import type { ToolRunner } from "../tools/toolRunner.ts";
import type { ProgressReport } from "../workspace/toolCall.ts";

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
			this.#answer(envelope.ok ? writeSuccess(envelope, shown) : writeError(envelope.error));
		} catch (thrown) {
			this.#answer(writeError(thrown));
		}
	}

	/** Answers immediately and tells the work to stop. */
	cancel(): void {
		this.#answer(writeError(new CleatsError("CANCELLED", "the request was cancelled")));
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

/** The error payload of this transport. */
type LegacyError = {
	readonly message: string;
	readonly code: string;
	readonly stderr?: string;
	readonly stdout?: string;
	readonly timeoutMs?: number;
	readonly hint?: string;
};

/** As JSON, or rendered for reading as a result of the tool `shown`. */
function writeSuccess(envelope: SuccessEnvelope, shown?: ToolName): Record<string, unknown> {
	const text = shown === undefined ? writeEnvelope(envelope).text : renderEnvelope(envelope, shown);
	return { content: [{ type: "text", text }] };
}

function writeError(error: unknown): Record<string, unknown> {
	const { code, message, details } = isTabled(error) ? error : toCleatsError(error);
	const payload: LegacyError = {
		message,
		code,
		...optional(details),
		hint: hintOf(details) ?? ERROR_TABLE[code].remedy,
	};
	return { isError: true, content: [{ type: "text", text: JSON.stringify(payload) }] };
}

function optional(details: unknown): Pick<LegacyError, "stderr" | "stdout" | "timeoutMs"> {
	const { stderr, stdout, timeoutMs } = isRecord(details) ? details : {};
	return {
		...(typeof stderr === "string" && stderr.trim() !== "" && { stderr: stderr.trim() }),
		...(typeof stdout === "string" && stdout.trim() !== "" && { stdout: stdout.trim() }),
		...(typeof timeoutMs === "number" && Number.isFinite(timeoutMs) && { timeoutMs }),
	};
}

function hintOf(details: unknown): string | undefined {
	return isRecord(details) && typeof details.hint === "string" ? details.hint : undefined;
}

function isTabled(error: unknown): error is EnvelopeError {
	return !(error instanceof Error) && isRecord(error) && typeof error.code === "string" && error.code in ERROR_TABLE;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null;
}
