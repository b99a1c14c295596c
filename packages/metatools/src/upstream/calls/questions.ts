import { isObject, type JsonObject } from "../../contract/json.ts";
import { UpstreamError } from "../failure/failure.ts";

/** Shows a form to the user through the calling client, and returns the client's answer. An abort withdraws it. */
export type AskCaller = (params: JsonObject, signal?: AbortSignal) => Promise<unknown>;

type ElicitationAnswer = {
	action: "accept" | "decline" | "cancel";
	content?: Record<string, FormValue>;
};

/** If nobody can be asked, the question counts as dismissed, neither accepted nor declined. */
export async function askForAnswer(
	ask: AskCaller | undefined,
	params: JsonObject,
	signal?: AbortSignal,
): Promise<ElicitationAnswer> {
	const answer = await ask?.(params, signal);
	if (!isObject(answer)) return { action: "cancel" };
	if (answer.action !== "accept") return { action: answer.action === "decline" ? "decline" : "cancel" };
	return { action: "accept", content: filledIn(params.requestedSchema, answer.content) };
}

/** A form accepted without any field has its defaults; in any other, a field that is left out was left empty. */
function filledIn(schema: unknown, content: unknown): NonNullable<ElicitationAnswer["content"]> {
	const given = Object.entries(isObject(content) ? content : {});
	return Object.fromEntries((given.length > 0 ? given : defaultsOf(schema)).filter(isField));
}

function defaultsOf(schema: unknown): [name: string, value: unknown][] {
	const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
	return Object.entries(properties).map(([name, property]) => [
		name,
		isObject(property) ? property.default : undefined,
	]);
}

type FormValue = string | number | boolean | string[];

function isField(entry: readonly unknown[]): entry is [string, FormValue] {
	const value = entry[1];
	if (Array.isArray(value)) return value.every((item) => typeof item === "string");
	return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Repeats a call for as long as it asks for input, which must be the user's. */
export function callWithInput(
	send: (input: GivenInput) => Promise<unknown>,
	ask: AskCaller | undefined,
): Promise<unknown> {
	const answer = async (method: unknown, params: JsonObject): Promise<ElicitationAnswer> => {
		if (method !== "elicitation/create") throw beyondUs(`needs ${String(method)}, which callers here do not offer`);
		return askForAnswer(ask, params);
	};
	return runInputRounds(send, answer, beyondUs);
}

function beyondUs(problem: string): UpstreamError {
	return new UpstreamError({ kind: "broken", message: `the server ${problem}` });
}

/** Extra parameters of a repeated request. */
export type GivenInput = { readonly inputResponses?: JsonObject; readonly requestState?: unknown };

const MOST_ROUNDS = 10;

/** Repeats a call with the answers to its questions, and the server's own state, for as long as it asks for input. */
export async function runInputRounds(
	send: (input: GivenInput) => Promise<unknown>,
	answer: (method: unknown, params: JsonObject) => Promise<unknown>,
	failure: (problem: string) => Error,
): Promise<unknown> {
	let input: GivenInput = {};
	for (let round = 0; round < MOST_ROUNDS; round++) {
		const result = await send(input);
		if (!isObject(result) || result.resultType !== "input_required") return result;
		const { inputRequests, requestState } = result;
		const answers: [key: string, answer: unknown][] = [];
		for (const [key, question] of Object.entries(isObject(inputRequests) ? inputRequests : {})) {
			const { method, params } = isObject(question) ? question : {};
			answers.push([key, await answer(method, isObject(params) ? params : {})]);
		}
		// The keys are the server's; by assignment, the answer to a question named __proto__ would be lost.
		const inputResponses: JsonObject = Object.fromEntries(answers);
		input = { inputResponses, ...(requestState !== undefined && { requestState }) };
	}
	throw failure(`asked for input ${MOST_ROUNDS} times without an answer`);
}
