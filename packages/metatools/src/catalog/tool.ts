import type { JsonObject } from "../contract/json.ts";
import type { Backend, ToolExample } from "../contract/results.ts";

/** A tool as its server declares it, including members unknown to us. */
export type ToolDefinition = JsonObject & { readonly name: string };

/** A tool as the catalogue offers it. */
export type CatalogTool = {
	/** `namespace:name[:version]`, at most 64 characters. */
	readonly id: string;
	readonly namespace: string;
	readonly name: string;
	readonly version?: string;
	readonly definition: ToolDefinition;
	readonly backend: Backend;
	readonly tags: readonly string[];
	readonly shortDescription: string;
	/** Set when the public name differs from the declared one; says why. */
	readonly renamed?: string;
	readonly docs: ToolDocs;
	/** Changes whenever the definition does. */
	readonly fingerprint: string;
};

export type ToolDocs = {
	readonly notes?: string;
	readonly examples: readonly ToolExample[];
	readonly externalRefs: readonly string[];
};

/** Everything one server offers, as handed to the catalogue. */
export type NamespaceTools = {
	readonly namespace: string;
	readonly description?: string;
	/** What the server says about the use of its tools. */
	readonly instructions?: string | undefined;
	readonly definitions: readonly ToolDefinition[];
	backendOf(definition: ToolDefinition): Backend;
};
