import type { CatalogTool } from "../catalog/tool.ts";
import { ToolError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import { IN_DOUBT, isRepeatable } from "./backend.ts";
import type { ClockLimits } from "./patience.ts";
import { createConnectingError } from "./resolveTool.ts";

export type CallLimits = Required<Omit<ClockLimits, "over">>;

const SILENT = " Its server has sent nothing for this call and may hang.";
const SETTINGS = {
	mcp: { silence: "execution_timeout of its server", call: "execution_total_timeout of its server" },
	others: { silence: "execution.timeout", call: "execution.total_timeout" },
} as const;

/** What is known of a call that has no result yet, to say why it gets none once its time is up. */
export class LateCall {
	/** Whether it waits for its server to be connected, without having been sent. */
	isWaiting: boolean = false;
	readonly #tool: CatalogTool;
	readonly #args: JsonObject;
	readonly #limits: CallLimits;
	#hasReported: boolean = false;
	#isSilent: boolean;

	/** `wantsProgress`: its server was asked for progress by the caller. */
	constructor(tool: CatalogTool, args: JsonObject, limits: CallLimits, wantsProgress: boolean) {
		this.#tool = tool;
		this.#args = args;
		this.#limits = limits;
		// Only a server that was asked for its progress can be silent, and one that runs the tool as a task has created it.
		this.#isSilent = wantsProgress && tool.backend.kind === "mcp" && tool.definition.execution === undefined;
	}

	/** Runs the listener, and remembers that the server has sent something. */
	markHeard<Said extends unknown[], Result>(listen: (...said: Said) => Result): (...said: Said) => Result {
		return (...said) => {
			this.#isSilent = false;
			return listen(...said);
		};
	}

	markReported(): void {
		this.#hasReported = true;
	}

	/** The failure of a call that ran past a limit of its own. */
	createError(reason: "call" | "silence" | "answer"): ToolError {
		const { callMs, silenceMs, answerMs } = this.#limits;
		if (reason === "answer") {
			const text = `${this.#tool.id} asked its caller a question, which nobody answered within ${answerMs} ms.`;
			return new ToolError("timeout", text, this.#known);
		}
		const isExtended = reason === "call" && callMs > silenceMs;
		const limitMs = isExtended ? callMs : silenceMs;
		const since = reason === "silence" && this.#hasReported ? " of the last it reported" : "";
		const settings = SETTINGS[this.#tool.backend.kind === "mcp" ? "mcp" : "others"];
		const longer = `timeout_ms of the call, or ${settings[isExtended ? "call" : "silence"]}, gives it longer`;
		return this.#unsent(`after ${limitMs} ms`) ?? this.#late(`within ${limitMs} ms${since}`, longer);
	}

	/** The failure of a call that ran past the limit of the run that it is part of. */
	createErrorOfRun(): ToolError {
		return (
			this.#unsent("at the deadline of the whole run") ??
			this.#late("before the deadline of the whole run", "a longer one gives it more time")
		);
	}

	get #known() {
		return { tool_id: this.#tool.id, backend_kind: this.#tool.backend.kind, op: "execute" } as const;
	}

	#unsent(when: string): ToolError | undefined {
		return this.isWaiting ? createConnectingError(this.#tool.id, when, "select_backend") : undefined;
	}

	#late(limit: string, longer: string): ToolError {
		const repeatable = isRepeatable(this.#tool, this.#args);
		const advice = repeatable ? `; ${longer}` : `${IN_DOUBT} (${longer})`;
		const silent = this.#isSilent ? SILENT : "";
		const text = `${this.#tool.id} did not answer ${limit}, so the call was cancelled${advice}.${silent}`;
		const doubt = repeatable ? {} : { details: { outcome: "unknown" } };
		return new ToolError("timeout", text, { ...this.#known, retryable: repeatable, ...doubt });
	}
}
