import { isObject, type JsonObject } from "../contract/json.ts";
import { type GivenInput, inputRounds } from "./inputRounds.ts";
import { UpstreamError } from "./upstreamError.ts";

/** Shows a form to the user through the calling client, and returns the client's answer. An abort withdraws it. */
export type AskCaller = (params: JsonObject, signal?: AbortSignal) => Promise<unknown>;

export type ElicitationAnswer = {
	action: "accept" | "decline" | "cancel";
	content?: Record<string, FormValue>;
};

/** If nobody can be asked, the question counts as dismissed, neither accepted nor declined. */
export async function answerOf(
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
		return answerOf(ask, params);
	};
	return inputRounds(send, answer, beyondUs);
}

function beyondUs(problem: string): UpstreamError {
	return new UpstreamError({ kind: "broken", message: `the server ${problem}` });
}
