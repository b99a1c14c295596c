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
