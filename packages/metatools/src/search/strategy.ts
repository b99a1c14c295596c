/** One tool as search sees it. */
export type SearchDocument = {
	readonly id: string;
	readonly name: string;
	/** The server's own name for it, if that is not a valid name here. */
	readonly declaredName?: string;
	readonly namespace: string;
	readonly description: string;
	readonly tags: readonly string[];
	/** Parameter names and their descriptions. */
	readonly parameters: readonly { readonly name: string; readonly description: string }[];
	/** What the server says about itself. */
	readonly server: string;
};

/** A document that was found, and how well it fits. */
export type Hit = {
	readonly id: string;
	readonly score: number;
	/** The chance that it does what was asked for, where a strategy can tell. */
	readonly fit?: number;
	/** The part of a task with several needs that it serves. */
	readonly need?: string;
};

/** Ranks the documents it was built over; scores are positive, ties are broken by id. */
export type SearchIndex = {
	search(queries: readonly string[]): readonly Hit[] | Promise<readonly Hit[]>;
};

/** How search_tools finds tools. `build` runs once per change of the catalogue, never per query. */
export type SearchStrategy = {
	readonly name: string;
	build(documents: readonly SearchDocument[]): SearchIndex;
};

export function byScore(a: Hit, b: Hit): number {
	return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
