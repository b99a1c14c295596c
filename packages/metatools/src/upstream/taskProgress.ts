import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { ToolProgress } from "../run/backend.ts";

type Report = (update: ToolProgress) => void;

const OURS = "metatools-task-";

/**
 * The progress of tasks. The SDK forgets the token of a call when the call is answered, but the task that was the answer
 * goes on; so tasks get tokens of ours, and what comes under these is taken out of what the SDK gets.
 */
export class TaskProgress {
	readonly #reports = new Map<string, Report>();
	#given = 0;

	/** For a transport that is connected: the SDK listens to it already. */
	constructor(transport: Transport) {
		const deliver = transport.onmessage;
		transport.onmessage = (message, extra) => {
			if (!this.#takes(message)) deliver?.(message, extra);
		};
	}

	/** Runs a task under a token, where its caller wants to hear of it. */
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

/** Makes one rising line of what a task reports itself and of its states, which have words but no numbers. */
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
			// So little that the first step the task reports itself, be it of a hundred or of one, is further on.
			if (!reportsItself) onProgress({ progress: states / 100, message });
		},
	};
}
