import type { JsonObject } from "./json.ts";

/** Where a tool runs, as include_backend shows it. */
export type Backend =
	| { readonly kind: "mcp"; readonly mcp: { readonly serverName: string } }
	| { readonly kind: "local"; readonly local: { readonly name: string } }
	| { readonly kind: "provider"; readonly provider: { readonly providerId: string; readonly toolId: string } };

export type ToolSummary = {
	readonly id: string;
	readonly name: string;
	readonly namespace?: string;
	readonly shortDescription?: string;
	readonly tags?: readonly string[];
};

export type ToolExample = {
	readonly id?: string;
	readonly title: string;
	readonly description: string;
	readonly args: JsonObject;
	readonly resultHint?: string;
};

export type SchemaInfo = {
	readonly required: readonly string[];
	readonly defaults: JsonObject;
	readonly types: { readonly [name: string]: readonly string[] };
};

export type ToolDescription = {
	readonly summary: string;
	readonly tool?: JsonObject;
	readonly schemaInfo?: SchemaInfo;
	readonly notes?: string;
	readonly examples?: readonly ToolExample[];
	readonly externalRefs?: readonly string[];
};
