/** Weights per field, and limits on the size of the index (0: none). */
export type Bm25Options = {
	readonly nameBoost: number;
	readonly namespaceBoost: number;
	readonly tagsBoost: number;
	readonly headlineBoost: number;
	readonly descriptionBoost: number;
	readonly parametersBoost: number;
	readonly serverBoost: number;
	readonly maxDocs: number;
	readonly maxDocTextLength: number;
};

export const BM25_DEFAULTS: Bm25Options = {
	nameBoost: 3,
	namespaceBoost: 2,
	tagsBoost: 2,
	headlineBoost: 1,
	descriptionBoost: 1,
	parametersBoost: 0.7,
	serverBoost: 0.25,
	maxDocs: 0,
	maxDocTextLength: 0,
};
