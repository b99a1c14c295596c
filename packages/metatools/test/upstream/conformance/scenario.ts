import { isObject, type JsonObject } from "../../../src/contract/json.ts";

export type PlannedCall = { readonly name: string; readonly arguments: JsonObject };

/** The document a client of the suite says it is described by; nobody fetches it. */
export const METADATA_URL = "https://conformance-test.local/client-metadata.json";

export type Scenario = {
	readonly url: string;
	readonly isModern: boolean;
	readonly registered: { readonly id: string; readonly secret?: string } | undefined;
	readonly calls: readonly PlannedCall[] | undefined;
};

/** What the suite tells a client it starts: where its server is, and what to do there. */
export function scenarioOf(url: string, environment: NodeJS.ProcessEnv): Scenario {
	return {
		url,
		isModern: (environment.MCP_CONFORMANCE_PROTOCOL_VERSION ?? "") >= "2026-07-28",
		...contextOf(JSON.parse(environment.MCP_CONFORMANCE_CONTEXT ?? "{}")),
	};
}

function contextOf(context: unknown): Pick<Scenario, "registered" | "calls"> {
	const { client_id: id, client_secret: secret, toolCalls } = isObject(context) ? context : {};
	return {
		registered: typeof id === "string" ? { id, ...(typeof secret === "string" && { secret }) } : undefined,
		calls: Array.isArray(toolCalls) ? toolCalls.filter(isCall) : undefined,
	};
}

/** The calls to make: those the suite names, or one of each tool that was listed. */
export function callsOf(
	{ calls }: Scenario,
	tools: readonly { readonly name: string; readonly inputSchema?: unknown }[],
): PlannedCall[] {
	const named = calls?.filter(({ name }) => tools.some((tool) => tool.name === name));
	return [...(named ?? tools.map(({ name, inputSchema }) => ({ name, arguments: sample(inputSchema) })))];
}

function sample(schema: unknown): JsonObject {
	const { properties } = isObject(schema) ? schema : {};
	return Object.fromEntries(
		Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
			const { type } = isObject(property) ? property : {};
			return [name, type === "number" || type === "integer" ? 5 : type === "boolean" ? true : "sample"];
		}),
	);
}

function isCall(value: unknown): value is PlannedCall {
	return isObject(value) && typeof value.name === "string" && isObject(value.arguments);
}
