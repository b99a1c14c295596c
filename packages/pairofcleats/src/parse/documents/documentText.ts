import type { ProseChunk } from "../chunk.ts";

export type DocumentFormat = "pdf" | "docx";

/** Text of a document. A missing reader package is a normal result, not an error. */
export type DocumentText =
	| { readonly kind: "text"; readonly prose: readonly ProseChunk[] }
	| { readonly kind: "readerMissing"; readonly package: string }
	| { readonly kind: "unreadable"; readonly reason: string };
