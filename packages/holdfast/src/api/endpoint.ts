import type { Fleet } from "libmcp/http";
import { type CatalogTool, type Gateway, type JsonObject, listedTools } from "metatools";
import { nameServerOf, type Recorder } from "../record/recorder.ts";
import type { Answers, ContextShare, ContextUse, Tool } from "./answers.ts";
import type { IndexJob } from "./indexJob.ts";

/** The parts of the product that endpoints work on. */
export type Surroundings = {
	readonly gateway: Gateway;
	readonly recorder: Recorder;
	readonly indexJob: IndexJob;
	readonly version: string;
	/** Where this gateway is one node of many. */
	readonly fleet?: Pick<Fleet, "id" | "members"> | undefined;
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

/** Longer names are cut. */
const NAME_CHARS = 200;

/** What a tool and its server are called elsewhere, where the gateway had to change it. */
export function describeDeclaredNames(tool: CatalogTool): Pick<Tool, "declaredName" | "server"> {
	const { name, namespace, definition } = tool;
	const server = nameServerOf(tool);
	return {
		...(definition.name !== name && { declaredName: definition.name.slice(0, NAME_CHARS) }),
		...(server !== namespace && { server: server.slice(0, NAME_CHARS) }),
	};
}

/** Their schemas. */
export const DECLARED_NAMES = {
	declaredName: { ...TEXT, description: "What its server calls it, where that cannot be a name here" },
	server: { ...TEXT, description: "What the configuration calls its server, where that cannot be a namespace" },
} as const;

const CHARACTERS_PER_TOKEN = 4;

/** Compares the tools that clients see with those they would see if they connected to every server directly. */
export function measureContextUse(gateway: Gateway): ContextUse {
	const behind = gateway.catalog.tools.filter(({ backend }) => backend.kind === "mcp");
	return { shown: share(listedTools(gateway)), behind: share(behind.map(({ definition }) => definition)) };
}

function share(definitions: readonly JsonObject[]): ContextShare {
	const characters = definitions.reduce((sum, definition) => sum + lengthOf(definition), 0);
	return { tools: definitions.length, tokens: Math.round(characters / CHARACTERS_PER_TOKEN) };
}

const lengths = new WeakMap<JsonObject, number>();

/** Clients give models only the name, description and input schema. */
function lengthOf(tool: JsonObject): number {
	const { name, description, inputSchema } = tool;
	const known = lengths.get(tool) ?? JSON.stringify({ name, description, inputSchema }).length;
	lengths.set(tool, known);
	return known;
}
