import type { ErrorObject } from "../../contract/errors.ts";
import { startPatience } from "../../run/patience.ts";
import {
	type CodeLimits,
	type CodeRequest,
	type CodeResult,
	type CodeTools,
	describeDeadline,
	type RunStage,
} from "../engine.ts";
import { type GuestMessage, type HostReply, isGuestMessage, parseBounded } from "../guestMessage.ts";
import type { Insertion } from "../script/insertions.ts";
import { isFoundElsewhere, SURROUNDINGS } from "../script/syntaxProblem.ts";
import {
	type CodeErrorPlace,
	type CodeErrorReason,
	createCodeError,
	findExhausted,
	readThrown,
	type Thrown,
} from "./codeError.ts";
import { CappedText, ProgressGate } from "./sessionOutput.ts";
import { ToolCalls } from "./toolCalls.ts";

const MOST_NAMED = 5;

type Ending = { readonly value: unknown } | { readonly error: ErrorObject };

/**
 * The host's side of one run, the same for every backend: it answers the guest's calls, keeps its output, and decides
 * how the run ended. The first ending counts; later messages of the guest only add to its output.
 */
export class RunSession {
	/** Settles when the run is over for the caller; the backend then stops the guest. */
	readonly over: Promise<void>;
	readonly maxToolCalls: number;
	readonly #tools: CodeTools;
	readonly #code: string;
	readonly #limits: CodeLimits;
	readonly #stdout: CappedText;
	readonly #stderr: CappedText;
	readonly #progress: ProgressGate;
	readonly #calls: ToolCalls;
	readonly #startedAt = performance.now();
	readonly #settleOver: () => void;
	readonly #release: () => void;
	readonly #deadline: number;
	#reply: (reply: HostReply) => void = () => {};
	readonly #lost: string[] = [];
	#stage: RunStage = "waiting";
	#insertions: readonly Insertion[] = [];
	#ending: Ending | undefined;
	#durationMs = 0;

	constructor(request: CodeRequest, tools: CodeTools, limits: CodeLimits) {
		this.#tools = tools;
		this.#code = request.code;
		this.#limits = limits;
		this.#deadline = this.#startedAt + request.timeoutMs;
		this.maxToolCalls = request.maxToolCalls;
		this.#stdout = new CappedText(limits.maxStdoutLength);
		this.#stderr = new CappedText(limits.maxStderrLength);
		this.#progress = new ProgressGate((update) => tools.progress(update));
		this.#calls = new ToolCalls(tools, request.maxToolCalls, limits, (reply) => this.#reply(reply));
		const { promise, resolve } = Promise.withResolvers<void>();
		this.over = promise;
		this.#settleOver = resolve;
		const onAbort = (): void => this.fail("cancelled", "The caller cancelled the run.");
		const waiting = startPatience(request.timeoutMs, () =>
			this.#passDeadline(describeDeadline(this.#stage, request.timeoutMs)),
		);
		request.signal.addEventListener("abort", onAbort, { once: true });
		this.#release = () => {
			waiting.end();
			request.signal.removeEventListener("abort", onAbort);
		};
		if (request.signal.aborted) onAbort();
	}

	/** Where answers to the guest's calls go, from now until the run is over. */
	connect(reply: (reply: HostReply) => void): void {
		this.#reply = reply;
	}

	/** Tells that a sandbox has taken the code and parses it. */
	prepare(): void {
		this.#stage = "parsing";
	}

	/** Takes the text inserted into the caller's code, so that errors name lines and columns of the original. */
	began(insertions: readonly Insertion[]): void {
		this.#stage = "running";
		this.#insertions = insertions;
	}

	get isOver(): boolean {
		return this.#ending !== undefined;
	}

	get remainingMs(): number {
		return Math.max(1, Math.ceil(this.#deadline - performance.now()));
	}

	receive(message: unknown): void {
		if (!isGuestMessage(message)) {
			this.fail("crashed", "The sandbox sent something that is not a message.");
			return;
		}
		if (message.kind === "stdout") this.#stdout.append(message.text);
		else if (message.kind === "stderr") this.#stderr.append(message.text);
		else if (this.#ending === undefined) this.#act(message);
	}

	fail(reason: CodeErrorReason, message: string, place: CodeErrorPlace = {}): void {
		const error = createCodeError(reason, message, place);
		// What the calls did would be done a second time.
		const retryable = error.retryable && this.#calls.records().length === 0;
		this.#end({ error: { ...error, retryable } });
	}

	result(): CodeResult {
		const ending = this.#ending ?? { error: createCodeError("crashed", "The run has not ended.") };
		return {
			value: null,
			stdout: this.#stdout.toString(),
			stderr: this.#stderr.toString(),
			durationMs: Math.round(this.#durationMs),
			toolCalls: this.#calls.records(),
			...(this.#lost.length > 0 && { warning: this.#lost.join("\n") }),
			...ending,
		};
	}

	#act(message: GuestMessage): void {
		const { maxValueLength, maxJsonDepth } = this.#limits;
		switch (message.kind) {
			case "call":
				if (!this.#calls.accept(message.text))
					this.fail("value", "The code made a call that cannot be read; it may have changed how objects become JSON.");
				return;
			case "progress":
				this.#progress.offer(message.text);
				return;
			case "lost":
				this.#lose(this.#thrown(message.text));
				return;
			case "done": {
				const parsed = parseBounded(message.text, maxValueLength, maxJsonDepth);
				if (parsed !== undefined) this.#end(parsed);
				else this.fail("value", valueProblem(message.text, this.#limits));
				return;
			}
			case "unsendable":
				this.fail("value", `The value cannot be sent as JSON: ${this.#thrown(message.text).message}`);
				return;
			case "fail":
				this.#failWith(this.#thrown(message.text));
				return;
			case "syntax": {
				const { message: text, place } = this.#thrown(message.text);
				this.fail("syntax", `SyntaxError: ${text}`, place);
				return;
			}
			case "stalled":
				this.fail("stalled", "The code waits for a promise that nothing will settle.");
				return;
			case "deadline":
				this.#passDeadline(message.text);
				return;
			case "cpu":
			case "crashed":
				this.fail(message.kind, message.text);
				return;
			case "stdout":
			case "stderr":
				return;
		}
	}

	#thrown(text: string): Thrown {
		return readThrown(text, this.#insertions);
	}

	/** Keeps what a promise failed with that the code did not await. A tool's failure is in the record of its call. */
	#lose({ name, message, place: { line, column, tool_id } }: Thrown): void {
		if (tool_id !== undefined || this.#lost.length >= MOST_NAMED) return;
		const at = line === undefined ? "" : ` (line ${line}, column ${column})`;
		this.#lost.push(`a promise failed, which the code did not await${at}: ${name}: ${message}`);
	}

	#failWith(thrown: Thrown): void {
		const { name, message, place } = thrown;
		this.fail(findExhausted(name, message) ?? "exception", `${name}: ${message}${this.#hintFor(thrown)}`, place);
	}

	#hintFor({ name, message, place: { line = 0 } }: Thrown): string {
		if (name === "ReferenceError") return this.#hintAt(message);
		// The interpreter also throws null when there is no memory left for an error.
		if (name === "object" && message === "null") return " (thrown by the code, or for want of memory)";
		const isMistaken =
			this.#calls.records().length > 0 && isSeekingResult(name, message, this.#code.split("\n")[line - 1]);
		return isMistaken ? `; ${VALUE_ITSELF}` : "";
	}

	/** Suggests where to find an undefined name, if it is a namespace or known from another environment. */
	#hintAt(message: string): string {
		const name = /^'?([\w$]+)'? is not defined$/.exec(message)?.[1];
		if (name === undefined) return message.startsWith("could not load module") ? `; ${SURROUNDINGS}` : "";
		if (this.#tools.list().some(({ namespace }) => namespace === name)) return `; it is tools.${name}`;
		return isFoundElsewhere(name) ? `; ${SURROUNDINGS}` : "";
	}

	/** Names the tools that have not answered: if they are slow, more time for the code may not help. */
	#passDeadline(text: string): void {
		const named = this.#calls.awaited.slice(0, MOST_NAMED).join(", ");
		this.fail("deadline", named === "" ? text : `${text} Not answered by then: ${named}.`);
	}

	#end(ending: Ending): void {
		if (this.#ending !== undefined) return;
		this.#ending = ending;
		this.#durationMs = performance.now() - this.#startedAt;
		this.#release();
		this.#progress.flush();
		this.#calls.abort();
		this.#settleOver();
	}
}

function valueProblem(text: string, { maxValueLength, maxJsonDepth }: CodeLimits): string {
	return text.length > maxValueLength
		? `The value is ${text.length} characters of JSON; at most ${maxValueLength} can be returned.`
		: `The value is nested more than ${maxJsonDepth} levels deep.`;
}

/** A hint for code that takes a tool's value for the result that servers wrap it in. */
const VALUE_ITSELF = "a call of a tool gives the value itself, with no content or structuredContent around it";

/** Whether an error came of reading the members of such a result where there are none. */
function isSeekingResult(name: string, message: string, line = ""): boolean {
	return (
		name === "TypeError" && /^cannot read propert/i.test(message) && /\.(?:content|structuredContent)\b/.test(line)
	);
}
