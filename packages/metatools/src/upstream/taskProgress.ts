import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { ToolProgress } from "../run/backend.ts";

type Report = (update: ToolProgress) => void;

const OURS = "metatools-task-";

/**
 * The progress of tasks. The SDK forgets a call's progress token when the call is answered, but a task created by it
 * goes on. So tasks get our own tokens, and progress under these is handled here before the SDK sees it.
 */
export class TaskProgress {
	readonly #reports = new Map<string, Report>();
	#given = 0;

	/** The transport must be connected, as this wraps the SDK's listener. */
	constructor(transport: Transport) {
		const deliver = transport.onmessage;
		transport.onmessage = (message, extra) => {
			if (!this.#takes(message)) deliver?.(message, extra);
		};
	}

	/** Runs a task, under a progress token if its caller wants progress. */
	async during<T>(
		onProgress: Report | undefined,
		run: (meta: JsonObject, onState: (message: string) => void) => Promise<T>,
	): Promise<T> {
		if (onProgress === undefined) return run({}, () => {});
		const token = `${OURS}${++this.#given}`;
		const { report, onState } = oneLine(onProgress);
		this.#reports.set(token, report);
		try {
			return await run({ _meta: { progressToken: token } }, onState);
		} finally {
			this.#reports.delete(token);
		}
	}

	#takes(message: JSONRPCMessage): boolean {
		if (!("method" in message) || message.method !== "notifications/progress" || !isObject(message.params))
			return false;
		const { progressToken, progress, total, message: said } = message.params;
		if (typeof progressToken !== "string" || !progressToken.startsWith(OURS)) return false;
		if (typeof progress === "number")
			this.#reports.get(progressToken)?.({
				progress,
				...(typeof total === "number" && { total }),
				...(typeof said === "string" && { message: said }),
			});
		return true;
	}
}

/** Merges a task's own progress and its state messages, which have no numbers, into one increasing sequence. */
function oneLine(onProgress: Report): { report: Report; onState: (message: string) => void } {
	let state: string | undefined;
	let states = 0;
	let reportsItself = false;
	return {
		report(update) {
			reportsItself = true;
			onProgress({ ...(state !== undefined && { message: state }), ...update });
		},
		onState(message) {
			if (message === state) return;
			state = message;
			states++;
			// Small steps, so that the first progress the task itself reports is larger, be it 1 of 100 or 1 of 1.
			if (!reportsItself) onProgress({ progress: states / 100, message });
		},
	};
}
