import { isObject, type JsonObject } from "../contract/json.ts";

/** Extra parameters of a repeated request. */
export type GivenInput = { readonly inputResponses?: JsonObject; readonly requestState?: unknown };

const MOST_ROUNDS = 10;

/** Repeats a call with the answers to its questions, and the server's own state, for as long as it asks for input. */
export async function inputRounds(
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
