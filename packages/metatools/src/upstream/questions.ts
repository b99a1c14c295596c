import { isObject, type JsonObject } from "../contract/json.ts";
import { UpstreamError } from "./upstreamError.ts";

/** Shows a form to the user through the calling client, and returns the client's answer. An abort withdraws it. */
export type AskCaller = (params: JsonObject, signal?: AbortSignal) => Promise<unknown>;

export type ElicitationAnswer = {
	action: "accept" | "decline" | "cancel";
	content?: Record<string, FormValue>;
};

const MOST_ROUNDS = 10;

/** If nobody can be asked, the question counts as dismissed, neither accepted nor declined. */
export async function answerOf(
	ask: AskCaller | undefined,
	params: JsonObject,
	signal?: AbortSignal,
): Promise<ElicitationAnswer> {
	const answer = await ask?.(params, signal);
	if (!isObject(answer)) return { action: "cancel" };
	if (answer.action !== "accept") return { action: answer.action === "decline" ? "decline" : "cancel" };
	return { action: "accept", content: withDefaults(params.requestedSchema, answer.content) };
}

/** Fields that the user left unchanged have the form's default. */
function withDefaults(schema: unknown, content: unknown): NonNullable<ElicitationAnswer["content"]> {
	const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
	const shown = Object.entries(properties).map(([name, property]) => [name, isObject(property) && property.default]);
	const given = Object.entries(isObject(content) ? content : {});
	return Object.fromEntries([...shown, ...given].filter(isField));
}

type FormValue = string | number | boolean | string[];

function isField(entry: readonly unknown[]): entry is [string, FormValue] {
	const value = entry[1];
	if (Array.isArray(value)) return value.every((item) => typeof item === "string");
	return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Extra parameters of a repeated request. */
export type GivenInput = { readonly inputResponses?: JsonObject; readonly requestState?: string };

/** Repeats a call with the user's answers, and the server's own state, for as long as it asks for input. */
export async function callWithInput(
	send: (input: GivenInput) => Promise<unknown>,
	ask: AskCaller | undefined,
): Promise<unknown> {
	let input: GivenInput = {};
	for (let round = 0; round < MOST_ROUNDS; round++) {
		const result = await send(input);
		if (!isObject(result) || result.resultType !== "input_required") return result;
		const inputResponses: Record<string, ElicitationAnswer> = {};
		for (const [key, question] of Object.entries(isObject(result.inputRequests) ? result.inputRequests : {})) {
			const { method, params } = isObject(question) ? question : {};
			if (method !== "elicitation/create") throw beyondUs(`needs ${String(method)}, which callers here do not offer`);
			inputResponses[key] = await answerOf(ask, isObject(params) ? params : {});
		}
		const { requestState } = result;
		input = { inputResponses, ...(typeof requestState === "string" && { requestState }) };
	}
	throw beyondUs(`asked for input ${MOST_ROUNDS} times without an answer`);
}

function beyondUs(problem: string): UpstreamError {
	return new UpstreamError({ kind: "broken", message: `the server ${problem}` });
}
