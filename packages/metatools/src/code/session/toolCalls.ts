import { setImmediate as nextTurn } from "node:timers/promises";
import { countText } from "libmcp";
import { type ErrorObject, ToolError, toolErrorFrom } from "../../contract/errors.ts";
import { stringifyForRounding } from "../../contract/exactJson.ts";
import { isObject, readKind } from "../../contract/json.ts";
import { shortenError } from "../../run/toolResult.ts";
import type { CodeLimits, CodeToolCall, CodeTools } from "../engine.ts";
import { type HostReply, parseBounded } from "../guestMessage.ts";
import { ToolPaths } from "./toolPaths.ts";

const MAX_NAME = 100;
const BY_ID = "; by its id a tool is called as tools.call(id, args).";

type Call = {
	readonly id: number;
	readonly op: string;
	readonly target: unknown;
	/** A ToolError if the arguments cannot be read. */
	readonly args: unknown;
	/** How many arguments there were, if more than one. */
	readonly count?: unknown;
};

/** The tool calls of one run: counted, recorded, run in parallel, aborted together. */
export class ToolCalls {
	readonly #tools: CodeTools;
	readonly #maxCalls: number;
	readonly #limits: CodeLimits;
	readonly #reply: (reply: HostReply) => void;
	readonly #paths: ToolPaths;
	readonly #controller = new AbortController();
	readonly #records: (() => CodeToolCall)[] = [];
	#lookups = 0;
	/** Ends when the next call may begin; `undefined` if one may at once. */
	#turn: Promise<void> | undefined;

	constructor(tools: CodeTools, maxCalls: number, limits: CodeLimits, reply: (reply: HostReply) => void) {
		this.#tools = tools;
		this.#maxCalls = maxCalls;
		this.#limits = limits;
		this.#reply = reply;
		this.#paths = new ToolPaths(() => tools.list());
	}

	/** False when the text is not a call, which only a broken or hostile guest sends. */
	accept(text: string): boolean {
		const { maxArgumentsLength, maxJsonDepth } = this.#limits;
		const parsed = parseBounded(text, maxArgumentsLength, maxJsonDepth) ?? { value: headOf(text, this.#limits) };
		const call = callOf(parsed.value, this.#limits);
		if (call === undefined) return false;
		void this.#answer(call);
		return true;
	}

	/** All calls in the order they were made; a call without an answer is reported as aborted. */
	records(): readonly CodeToolCall[] {
		return this.#records.map((record) => record());
	}

	/** The tools that have not answered yet, as long as nothing was aborted. */
	get awaited(): readonly string[] {
		const left = this.records().filter(({ error }) => error?.code === "cancelled");
		return [...new Set(left.map(({ tool_id }) => tool_id))];
	}

	abort(): void {
		this.#controller.abort();
	}

	async #answer(call: Call): Promise<void> {
		let reply: HostReply;
		try {
			reply = { id: call.id, ok: true, text: await this.#perform(call) };
		} catch (thrown) {
			reply = { id: call.id, ok: false, text: this.#failureText(toolErrorFrom(thrown).object) };
		}
		if (!this.#controller.signal.aborted) this.#reply(reply);
	}

	/** Performs the call and returns its result as JSON. */
	async #perform(call: Call): Promise<string> {
		switch (call.op) {
			case "call":
				return this.#recorded(call, () => idOf(call.target, "The id of tools.call"));
			case "path":
				return this.#recorded(call, () => this.#paths.idOf(call.target));
			case "search":
				this.#countLookup();
				return this.#resultText(await this.#begin(() => this.#tools.search(queryOf(call.target), limitOf(call.args))));
			default:
				this.#countLookup();
				return this.#resultText(
					await this.#begin(() => this.#tools.describe(idOf(call.target, "The id of tools.describe"))),
				);
		}
	}

	/** Records every call, even one that reaches no tool: code that does not await it shows the failure nowhere else. */
	async #recorded({ target, args, count }: Call, findId: () => string): Promise<string> {
		if (this.#records.length >= this.#maxCalls)
			throw new ToolError("validation_input", `This run may make ${countText(this.#maxCalls, "tool call")}.`, {
				details: { max_tool_calls: this.#maxCalls },
			});
		const startedAt = performance.now();
		let toolId: string | undefined;
		let ended: Omit<CodeToolCall, "tool_id"> | undefined;
		const end = (error?: ErrorObject): void => {
			const durationMs = Math.round(performance.now() - startedAt);
			ended = error === undefined ? { durationMs, ok: true } : { durationMs, ok: false, error: shortenError(error) };
		};
		this.#records.push(() => ({ tool_id: toolId ?? writtenName(target), ...(ended ?? abortedCall(startedAt)) }));
		try {
			toolId = findId();
			if (args instanceof ToolError) throw args;
			if (!isObject(args))
				throw new ToolError(
					"validation_input",
					`The arguments of ${toolId}: expected an object, got ${readKind(args)}${BY_ID}`,
				);
			if (typeof count === "number")
				throw new ToolError(
					"validation_input",
					`The arguments of ${toolId}: expected one object that holds them all, got ${count} arguments.`,
				);
			const id = toolId;
			const value = await this.#begin(() => this.#tools.call(id, args, this.#controller.signal));
			const text = this.#resultText(value, "The tool has run, but its result");
			end();
			return text;
		} catch (thrown) {
			const isFailure = thrown instanceof ToolError && thrown.object.code !== "cancelled";
			const isLeft = this.#controller.signal.aborted && !isFailure;
			const error = isLeft ? cutShort() : toolErrorFrom(thrown, toolId === undefined ? {} : { tool_id: toolId });
			end(error.object);
			throw error;
		}
	}

	/** Begins one call in each turn of this thread, as a thousand at once would hold up everybody else. */
	#begin<Value>(call: () => Promise<Value>): Promise<Value> {
		const turn = this.#turn;
		const next = (turn ?? Promise.resolve()).then(() => nextTurn());
		this.#turn = next;
		void next.then(() => {
			if (this.#turn === next) this.#turn = undefined;
		});
		// Begins now, even if the code ends in this turn.
		if (turn === undefined) return call();
		return turn.then(() => {
			if (this.#controller.signal.aborted) throw cutShort();
			return call();
		});
	}

	/** Shortens the error if needed: a server's error text may be as long as any result. */
	#failureText(error: ErrorObject): string {
		const text = JSON.stringify(error);
		return text.length <= this.#limits.maxResultLength ? text : JSON.stringify(shortenError(error));
	}

	#countLookup(): void {
		this.#lookups += 1;
		if (this.#lookups > this.#limits.maxLookups)
			throw new ToolError("validation_input", `This run may search and describe ${this.#limits.maxLookups} times.`);
	}

	#resultText(value: unknown, what: string = "The result"): string {
		const text = stringifyForRounding(value ?? null);
		const { maxResultLength } = this.#limits;
		if (text.length <= maxResultLength) return text;
		throw new ToolError(
			"validation_output",
			`${what} is ${text.length} characters of JSON; code can take at most ${maxResultLength}.`,
		);
	}
}

function callOf(value: unknown, { maxArgumentsLength }: CodeLimits): Call | undefined {
	if (!isObject(value)) return undefined;
	const { id, op, target, args, count, unsent } = value;
	if (typeof id !== "number" || typeof op !== "string" || !OPS.includes(op)) return undefined;
	if (typeof unsent !== "number") return { id, op, target, args, count };
	const problem = `The arguments are ${unsent} characters of JSON; at most ${maxArgumentsLength} can be sent.`;
	return { id, op, target, args: new ToolError("validation_input", problem) };
}

/** Reads the members before unreadable arguments. `,"args":` cannot occur inside a string, where quotes are escaped. */
function headOf(text: string, { maxArgumentsLength, maxJsonDepth }: CodeLimits): unknown {
	const [start, id, op] = /^\{"id":(\d{1,15}),"op":"(\w{1,8})"(?:,"target":)?/.exec(text) ?? [];
	if (start === undefined) return undefined;
	const target = parseBounded(text.slice(start.length, text.indexOf(',"args":')), maxArgumentsLength, maxJsonDepth);
	const problem = `The arguments are too large, or nested more than ${maxJsonDepth} levels deep.`;
	return { id: Number(id), op, target: target?.value ?? {}, args: new ToolError("validation_input", problem) };
}

const OPS: readonly string[] = ["call", "path", "search", "describe"];

function idOf(target: unknown, what: string): string {
	if (typeof target === "string" && target !== "") return target;
	throw new ToolError("validation_input", `${what}: expected a tool id, got ${readKind(target)}${BY_ID}`);
}

/** The name by which the code called a tool; recorded in place of the id if there is no such tool. */
function writtenName(target: unknown): string {
	const name = Array.isArray(target) ? target.join(".") : target;
	return typeof name === "string" ? name.slice(0, MAX_NAME) : readKind(name);
}

function queryOf(target: unknown): string {
	if (typeof target === "string") return target;
	throw new ToolError("validation_input", `The query of tools.search: expected text, got ${readKind(target)}.`);
}

function limitOf(args: unknown): number | undefined {
	if (args instanceof ToolError) throw args;
	if (args === null || args === undefined) return undefined;
	if (typeof args === "number" && Number.isInteger(args) && args >= 1 && args <= 100) return args;
	throw new ToolError("validation_input", "The limit of tools.search: expected a whole number from 1 to 100.");
}

function abortedCall(startedAt: number): Omit<CodeToolCall, "tool_id"> {
	return { durationMs: Math.round(performance.now() - startedAt), ok: false, error: cutShort().object };
}

function cutShort(): ToolError {
	return new ToolError("cancelled", "The run ended before this call was answered.");
}
