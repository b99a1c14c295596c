import type { Backend, Output, SearchMode } from "./arguments.ts";

/** A search request as the engine takes it: the arguments of SEARCH_ARGUMENTS, validated and normalised. */
export type SearchRequest = {
	readonly query: string;
	readonly repoPath?: string;
	readonly mode?: SearchMode;
	readonly backend?: Backend;
	readonly output?: Output;
	/** `null` and absent both mean: on if a model is available. */
	readonly ann?: boolean | null;
	readonly top?: number;
	readonly offset?: number;
	readonly context?: number;
	readonly explain?: boolean;
	readonly type?: string;
	readonly author?: string;
	readonly import?: string;
	readonly calls?: string;
	readonly uses?: string;
	readonly signature?: string;
	readonly param?: string;
	readonly decorator?: string;
	readonly inferredType?: string;
	readonly returnType?: string;
	readonly throws?: string;
	readonly reads?: string;
	readonly writes?: string;
	readonly mutates?: string;
	readonly alias?: string;
	readonly awaits?: string;
	readonly risk?: string;
	readonly riskTag?: string;
	readonly riskSource?: string;
	readonly riskSink?: string;
	readonly riskCategory?: string;
	readonly riskFlow?: string;
	readonly branchesMin?: number;
	readonly loopsMin?: number;
	readonly breaksMin?: number;
	readonly continuesMin?: number;
	readonly churnMin?: number;
	readonly chunkAuthor?: string;
	readonly modifiedAfter?: string;
	/** In days. */
	readonly modifiedSince?: number;
	readonly visibility?: string;
	readonly extends?: string;
	readonly lint?: boolean;
	readonly async?: boolean;
	readonly generator?: boolean;
	readonly returns?: boolean;
	readonly branch?: string;
	readonly lang?: string;
	readonly case?: boolean;
	readonly caseFile?: boolean;
	readonly caseTokens?: boolean;
	readonly path?: string | readonly string[];
	readonly file?: string | readonly string[];
	readonly ext?: string | readonly string[];
	/** `{key: value}`, `["key=value", "key"]` or `"key=value"`. */
	readonly meta?: string | readonly string[] | Readonly<Record<string, unknown>>;
	/** An object, or its JSON text. */
	readonly metaJson?: string | Readonly<Record<string, unknown>>;
};
