import { cutText, toPlainBlock } from "../catalog/text.ts";
import { type ErrorObject, ToolError } from "../contract/errors.ts";
import { hasLongInteger } from "../contract/exactJson.ts";
import { isDeeper, isObject, type JsonObject, showValue } from "../contract/json.ts";
import type { BackendResult } from "./backend.ts";

const MAX_MESSAGE = 2_000;

/**
 * The value of a tools/call answer; `isError: true` is an error here, with the server's own words. A tool that has said why
 * it failed says so again, so the same call is not worth repeating, unless the tool itself says that it is.
 */
export function readToolResult(answer: unknown): BackendResult {
	if (!isObject(answer)) throw unusableAnswer(`result: expected an object, got ${showValue(answer)}`);
	const content = contentOf(answer);
	if (answer.isError === true) {
		const text = textsOf(content).join("\n").trim();
		throw new ToolError(
			"execution_failed",
			cutText(toPlainBlock(text), MAX_MESSAGE) || "The tool failed without saying why.",
			{
				retryable: saysRetryable(answer.structuredContent),
				details: {
					upstream: {
						isError: true,
						content,
						...(answer.structuredContent !== undefined && { structuredContent: answer.structuredContent }),
					},
				},
			},
		);
	}
	return { structured: answer.structuredContent ?? contentValue(content), mcpResult: answer };
}

function saysRetryable(value: unknown): boolean {
	const error = isObject(value) ? value.error : undefined;
	return isObject(error) && isObject(error.details) && error.details.retryable === true;
}

/** Refuses content that is not a list of blocks: dropping it would make the answer look empty. */
function contentOf({ content, structuredContent, isError }: JsonObject): readonly JsonObject[] {
	const list = content ?? [];
	const problem = Array.isArray(list) ? oddBlock(list) : `content: expected a list of blocks, got ${showValue(list)}`;
	if (problem !== undefined && (structuredContent === undefined || isError === true))
		throw unusableAnswer(problem, { upstream: { content } });
	return Array.isArray(list) ? list.filter(isObject) : [];
}

function oddBlock(list: readonly unknown[]): string | undefined {
	const at = list.findIndex((block) => block !== null && !isObject(block));
	return at < 0 ? undefined : `content/${at}: expected a block, got ${showValue(list[at])}`;
}

function unusableAnswer(problem: string, details?: JsonObject): ToolError {
	const message = `The server's answer is unusable: ${problem}`;
	return new ToolError("execution_failed", message, { retryable: false, ...(details !== undefined && { details }) });
}

function contentValue(content: readonly JsonObject[]): unknown {
	const texts = textsOf(content);
	if (texts.length < content.length) return content;
	const [only, ...more] = texts;
	if (only === undefined) return null;
	return more.length > 0 ? texts : parseJsonText(only);
}

function textsOf(content: readonly JsonObject[]): string[] {
	return content
		.map((block) => (block.type === "text" ? block.text : undefined))
		.filter((text) => typeof text === "string");
}

/** Parses JSON that a tool returned as text, unless that would change it; then the text itself is the value. */
function parseJsonText(text: string): unknown {
	if (!/^\s*[[{]/.test(text) || isDeeper(text, MAX_DEPTH)) return text;
	try {
		const value: unknown = JSON.parse(text);
		return hasLongInteger(text) ? text : value;
	} catch {
		// No JSON after all: the text is the value.
		return text;
	}
}

const MAX_DEPTH = 200;

const MAX_SHORT_MESSAGE = 2_000;
const MAX_DETAIL = 500;

/** A failure without its large details. */
export function shortenError(error: ErrorObject): ErrorObject {
	const { message, details, ...rest } = error;
	const kept = Object.entries(details ?? {}).filter(([, value]) => `${JSON.stringify(value)}`.length <= MAX_DETAIL);
	return {
		...rest,
		message: cutText(message, MAX_SHORT_MESSAGE),
		...(details !== undefined && { details: Object.fromEntries(kept) }),
	};
}

/** The same value with its error shortened, if it has one. */
export function shortenErrorOf<Value extends { readonly error?: ErrorObject }>(value: Value): Value {
	return value.error === undefined ? value : { ...value, error: shortenError(value.error) };
}
