import type { Catalog } from "../catalog/catalog.ts";
import { readDescription } from "../catalog/docs.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { SearchDocument, SearchIndex, SearchStrategy } from "./strategy.ts";

const MAX_PARAMETERS = 60;
const MAX_CHOICES = 20;
const MAX_QUERY_CHARS = 10_000;

/** A strategy kept in step with the catalogue: the index is built once per change, by the first search after it. */
export class CatalogSearch {
	readonly #catalog: Catalog;
	#strategy: SearchStrategy;
	#built: { readonly version: string; readonly index: SearchIndex } | undefined;

	constructor(catalog: Catalog, strategy: SearchStrategy) {
		this.#catalog = catalog;
		this.#strategy = strategy;
	}

	get strategy(): string {
		return this.#strategy.name;
	}

	use(strategy: SearchStrategy): void {
		this.#strategy = strategy;
		this.#built = undefined;
	}

	/**
	 * Returns the permitted tools, best first. The best tool for each query precedes all others, so that no query crowds out
	 * another. Without a query, returns all in order of id.
	 */
	async find(
		queries: readonly string[],
		may: (tool: CatalogTool) => boolean = () => true,
	): Promise<readonly CatalogTool[]> {
		const asked = queries.map((query) => query.slice(0, MAX_QUERY_CHARS)).filter((query) => query.trim() !== "");
		if (asked.length === 0) return this.#catalog.tools.filter(may);
		const ranked = (await this.#ranked(asked)).filter(may);
		if (asked.length === 1) return ranked;
		const bests = new Set(await Promise.all(asked.map(async (query) => (await this.#ranked([query])).find(may))));
		return [...ranked.filter((tool) => bests.has(tool)), ...ranked.filter((tool) => !bests.has(tool))];
	}

	async #ranked(queries: readonly string[]): Promise<readonly CatalogTool[]> {
		const hits = await this.#index().search(queries);
		return hits.map((hit) => this.#catalog.get(hit.id)).filter((tool) => tool !== undefined);
	}

	#index(): SearchIndex {
		const { version } = this.#catalog;
		if (this.#built?.version !== version) {
			const documents = this.#catalog.tools.map((tool) =>
				documentOf(tool, this.#catalog.descriptionOf(tool.namespace)),
			);
			this.#built = { version, index: this.#strategy.build(documents) };
		}
		return this.#built.index;
	}
}

function documentOf(tool: CatalogTool, server: string): SearchDocument {
	const schema = tool.definition.inputSchema;
	const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
	return {
		id: tool.id,
		name: tool.name,
		...(tool.definition.name !== tool.name && { declaredName: tool.definition.name }),
		namespace: tool.namespace,
		description: [tool.definition.title, readDescription(tool.definition)]
			.filter((text) => typeof text === "string")
			.join(". "),
		// Tags added by the catalogue itself only repeat the namespace.
		tags: tool.tags.filter((tag) => !/^(?:backend|server)\./.test(tag)),
		parameters: Object.entries(properties)
			.slice(0, MAX_PARAMETERS)
			.map(([name, schema]) => ({
				name,
				description: isObject(schema) ? parameterText(schema) : "",
			})),
		server,
	};
}

/** A parameter's description and choices; for a tool that does several things, the choices often say most. */
function parameterText({ description, enum: choices }: JsonObject): string {
	const named = Array.isArray(choices)
		? choices.slice(0, MAX_CHOICES).filter((choice) => typeof choice === "string")
		: [];
	return [typeof description === "string" ? description : "", ...named].join(" ");
}
