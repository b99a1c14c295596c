export { type Bm25Options, bm25 } from "./search/bm25.ts";
export { lexical } from "./search/lexical.ts";
export type { Hit, SearchDocument, SearchIndex, SearchStrategy } from "./search/strategy.ts";
