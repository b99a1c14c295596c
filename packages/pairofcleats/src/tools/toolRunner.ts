import { basename } from "node:path";
import { Deadline } from "libmcp/serve";
import { type Envelope, type EnvelopeWarning, failure, success } from "../contract/envelope.ts";
import { CleatsError, isCleatsError, notStored, toCleatsError } from "../contract/errors.ts";
import { type ToolArgumentsOf, type ToolName, type ToolResultOf, toolOf } from "../registry/registry.ts";
import type { ProgressReport, ToolCall } from "../workspace/toolCall.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { Admission } from "./admission.ts";
import { runHandler } from "./handlers.ts";

export type RunnerOptions = {
	readonly queueMax?: number;
	/** Lowers the limit of tools whose own is longer. */
	readonly timeoutMs?: number;
	/** Logs one line per finished call; `later` marks lines that need not be written at once. */
	readonly log?: (line: string, urgency?: "later") => void;
};

/** The caller of a tool, and how to send it progress. */
export type Asker = {
	readonly requestId: string;
	readonly signal: AbortSignal;
	/** Whether the caller only passes the envelope to `writeEnvelope`. */
	readonly written?: boolean;
	/** A local user: sees the full text of any failure and may name any file. */
	readonly here?: boolean;
	readonly onProgress?: (report: ProgressReport) => void;
};

/** How long an answer waits for cancelled work to stop; its slot stays taken until it has. */
const SETTLE_MS = 2_000;

/** Runs validated calls for every surface: handles admission, limits, errors and the envelope. */
export class ToolRunner {
	readonly workspace: Workspace;
	readonly #admission: Admission;
	readonly #timeoutMs: number;
	readonly #log: NonNullable<RunnerOptions["log"]>;

	constructor(workspace: Workspace, options: RunnerOptions = {}) {
		this.workspace = workspace;
		this.#admission = new Admission(options.queueMax);
		this.#timeoutMs = options.timeoutMs ?? Number.POSITIVE_INFINITY;
		this.#log = options.log ?? (() => {});
	}

	get load(): Admission["load"] {
		return this.#admission.load;
	}

	/** The answer as an envelope. Rejects only when the call never began: QUEUE_OVERLOADED, or CANCELLED while it waited. */
	async run<Name extends ToolName>(name: Name, args: ToolArgumentsOf<Name>, asker: Asker): Promise<Envelope> {
		const arrived = performance.now();
		let leave: () => void;
		try {
			leave = await this.#admission.enter(toolOf(name).readOnly ? "read" : "write", asker.signal);
		} catch (thrown) {
			throw toCleatsError(thrown);
		}
		const facts: { repo?: string; warnings: EnvelopeWarning[] } = { warnings: [] };
		const finish = (): Parameters<typeof success>[1] => ({
			...facts,
			requestId: asker.requestId,
			durationMs: Math.round((performance.now() - arrived) * 1000) / 1000,
		});
		try {
			const result = await this.#work(name, args, asker, facts, leave);
			const envelope = success(result, finish());
			this.#say(name, asker, "ok", envelope._meta.durationMs);
			return envelope;
		} catch (thrown) {
			const error = shown(thrown, asker);
			const envelope = failure(error, finish());
			this.#say(name, asker, error.code, envelope._meta.durationMs, error.code === "INTERNAL" ? thrown : undefined);
			return envelope;
		}
	}

	async #work<Name extends ToolName>(
		name: Name,
		args: ToolArgumentsOf<Name>,
		asker: Asker,
		facts: { repo?: string; warnings: EnvelopeWarning[] },
		leave: () => void,
	): Promise<ToolResultOf<Name>> {
		const timeoutMs = Math.min(toolOf(name).timeoutMs, this.#timeoutMs);
		const stop = new AbortController();
		const { signal } = stop;
		const onCancel = (): void => stop.abort(asker.signal.reason);
		if (asker.signal.aborted) onCancel();
		else asker.signal.addEventListener("abort", onCancel, { once: true });
		const began = performance.now();
		let late = false;
		const expire = (): void => {
			late ||= !signal.aborted;
			stop.abort();
		};
		const deadline = new Deadline({ hardMs: timeoutMs }, expire);
		let over = false;
		const call: ToolCall = {
			signal,
			workspace: this.workspace,
			here: asker.here === true,
			written: asker.written === true,
			repository: async () => {
				const repository = await this.workspace.repository("repoPath" in args ? args.repoPath : undefined);
				facts.repo = repository.label;
				const isTold = asker.here === true || facts.warnings.some(({ field }) => field === "repoPath");
				if (repository.folder !== undefined && !isTold)
					facts.warnings.push(wholeRepository(repository.folder, repository.root));
				return repository;
			},
			progress: (report) => {
				if (!over && !signal.aborted) asker.onProgress?.(report);
			},
			warn: (warning) => void facts.warnings.push(warning),
		};
		const working = runHandler(name, args, call);
		void working.then(leave, leave);
		try {
			const result = await unlessStopped(working, signal);
			// Synchronous work cannot be interrupted, but it still counts as timed out.
			if (performance.now() - began > timeoutMs) expire();
			signal.throwIfAborted();
			return result;
		} catch (thrown) {
			if (late) {
				throw new CleatsError("TOOL_TIMEOUT", `${name} took longer than ${timeoutMs} ms and was stopped`, {
					timeoutMs,
				});
			}
			throw asker.signal.aborted ? new CleatsError("CANCELLED", "the request was cancelled") : thrown;
		} finally {
			over = true;
			deadline.clear();
			asker.signal.removeEventListener("abort", onCancel);
		}
	}

	#say(name: ToolName, { requestId }: Asker, outcome: string, durationMs = 0, cause?: unknown): void {
		const trace = cause instanceof Error ? ` ${JSON.stringify(cause.stack ?? cause.message)}` : "";
		const line = `tool=${name} requestId=${JSON.stringify(requestId)} ${outcome} ${Math.round(durationMs)}ms${trace}`;
		this.#log(line, outcome === "ok" ? "later" : undefined);
	}
}

/** The work's result, or a rejection some time after the signal if the work ignores it. */
function unlessStopped<Value>(working: Promise<Value>, signal: AbortSignal): Promise<Value> {
	return new Promise((resolve, reject) => {
		const onAbort = (): void => void setTimeout(() => reject(signal.reason), SETTLE_MS).unref();
		if (signal.aborted) onAbort();
		else signal.addEventListener("abort", onAbort, { once: true });
		working.then(resolve, reject);
	});
}

/** A caller who names a folder would otherwise take what was found elsewhere for its contents. */
function wholeRepository(folder: string, root: string): EnvelopeWarning {
	const message = `repoPath: ${folder} is a folder of ${basename(root)}, all of which is meant; path limits a search to a folder`;
	return { code: "whole_repository", field: "repoPath", message };
}

/** Remote callers see only a reference to the log for an unexpected failure. */
function shown(thrown: unknown, { requestId, here }: Asker): CleatsError {
	if (isCleatsError(thrown)) return thrown;
	const error = toCleatsError(thrown);
	if (error.code !== "INTERNAL" || here === true || notStored(thrown) !== undefined) return error;
	return new CleatsError("INTERNAL", `the server failed unexpectedly; see its log for request ${requestId}`);
}
