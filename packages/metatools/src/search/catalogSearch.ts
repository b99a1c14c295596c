import type { Catalog } from "../catalog/catalog.ts";
import { readDescription } from "../catalog/docs.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { SearchDocument, SearchIndex, SearchStrategy } from "./strategy.ts";

const MAX_PARAMETERS = 60;
const MAX_CHOICES = 20;
/** All queries of a search are ranked without a pause, during which no other caller is answered. */
const MAX_QUERY_CHARS = 10_000;
/** Of a text that is cut: the rest is its end, where a long task often says what it wants. */
const HEAD_SHARE = 0.6;
/** Below this chance for the best tool, nothing fits; of searches that could be served, one in thirty is refused then. */
const LEAST_FIT = 0.2;

/** A tool that was found, and which of several needs it serves. */
export type FoundTool = { readonly tool: CatalogTool; readonly need?: string };

/** The permitted tools, best first, and whether none of them seems to do what was asked for. */
export type Found = { readonly tools: readonly FoundTool[]; readonly nothingFits: boolean };

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

	/** Returns the permitted tools, best first. Without a query, returns all in order of id. */
	async find(
		queries: readonly string[],
		may: (tool: CatalogTool) => boolean = () => true,
	): Promise<readonly CatalogTool[]> {
		const { tools } = await this.search(queries, may);
		return tools.map(({ tool }) => tool);
	}

	/** Like `find`; the best tool for each query precedes all others, so that no query crowds out another. */
	async search(queries: readonly string[], may: (tool: CatalogTool) => boolean = () => true): Promise<Found> {
		const asked = cutQueries(queries.filter((query) => query.trim() !== ""));
		if (asked.length === 0)
			return { tools: this.#catalog.tools.filter(may).map((tool) => ({ tool })), nothingFits: false };
		const { tools, nothingFits } = await this.#ranked(asked, may);
		if (asked.length === 1) return { tools, nothingFits };
		const each = await Promise.all(asked.map((query) => this.#ranked([query], may)));
		const bests = new Set(each.map((found) => found.tools[0]?.tool));
		const [first, others] = [true, false].map((isBest) => tools.filter(({ tool }) => bests.has(tool) === isBest));
		return { tools: [...(first ?? []), ...(others ?? [])], nothingFits };
	}

	async #ranked(queries: readonly string[], may: (tool: CatalogTool) => boolean): Promise<Found> {
		const tools: FoundTool[] = [];
		let bestFit: number | undefined;
		for (const { id, fit, need } of await this.#index().search(queries)) {
			const tool = this.#catalog.get(id);
			if (tool === undefined || !may(tool)) continue;
			tools.push({ tool, ...(need !== undefined && { need }) });
			if (fit !== undefined) bestFit = Math.max(bestFit ?? 0, fit);
		}
		return { tools, nothingFits: bestFit !== undefined && bestFit < LEAST_FIT };
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

/** Cuts long texts in the middle, so that all queries together are at most as long as one may be. */
function cutQueries(queries: readonly string[]): readonly string[] {
	const longest = Math.floor(MAX_QUERY_CHARS / Math.max(1, queries.length));
	const head = Math.floor(longest * HEAD_SHARE);
	return queries.map((query) =>
		query.length <= longest ? query : `${query.slice(0, head)}\n${query.slice(query.length - (longest - head))}`,
	);
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
