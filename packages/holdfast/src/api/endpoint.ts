import type { Gateway, JsonObject } from "metatools";
import type { Recorder } from "../record/recorder.ts";
import type { Answers } from "./answers.ts";
import type { IndexJob } from "./indexJob.ts";

/** The parts of the product that endpoints work on. */
export type Surroundings = {
	readonly gateway: Gateway;
	readonly recorder: Recorder;
	readonly indexJob: IndexJob;
	readonly version: string;
	/** Aborted when the product stops, to end long-running answers. */
	readonly closing: AbortSignal;
};

export type ApiCall = Surroundings & {
	/** Values of the path's `{name}` parts, percent-decoded. */
	readonly path: Readonly<Record<string, string>>;
	readonly query: JsonObject;
	readonly body: JsonObject;
	/** Aborted when the caller goes away. */
	readonly signal: AbortSignal;
};

/** One API operation; its OpenAPI entry and the validation of its input are derived from this. */
export type Endpoint = { readonly [Id in keyof Answers]: EndpointOf<Id> }[keyof Answers];

type EndpointOf<Id extends keyof Answers> = {
	readonly method: "GET" | "POST";
	/** Variable parts are written as `{name}`. */
	readonly path: string;
	readonly id: Id;
	readonly summary: string;
	/** A JSON schema per query parameter; integers are parsed from the text. */
	readonly query?: Readonly<Record<string, JsonObject>>;
	/** An object schema. */
	readonly body?: JsonObject;
	readonly answer: JsonObject;
	readonly status?: number;
	handle(call: ApiCall): Answers[Id] | Promise<Answers[Id]>;
};

export const TEXT = { type: "string" } as const;
export const COUNT = { type: "integer", minimum: 0 } as const;
export const OBJECT = { type: "object" } as const;

/** The schema of an object; with a `Shape`, of exactly that type's members. */
export function describeObject<Shape = JsonObject>(
	properties: { readonly [Name in keyof Shape]-?: JsonObject },
	required: readonly (keyof Shape)[] = Object.keys(properties) as (keyof Shape)[],
): JsonObject {
	return { type: "object", properties, required };
}

export function describeList(items: JsonObject): JsonObject {
	return { type: "array", items };
}

/** Unknown members are refused, so that a misspelt one is reported instead of ignored. */
export function describeBody(
	properties: Readonly<Record<string, JsonObject>>,
	required: readonly string[] = Object.keys(properties),
): JsonObject {
	return { ...describeObject(properties, required), additionalProperties: false };
}
