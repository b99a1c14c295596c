import type { ProseChunk } from "../chunk.ts";

export type DocumentFormat = "pdf" | "docx";

/** Text of a document; absence of the reader is an answer, not a failure. */
export type DocumentText =
	| { readonly kind: "text"; readonly prose: readonly ProseChunk[] }
	| { readonly kind: "readerMissing"; readonly package: string }
	| { readonly kind: "unreadable"; readonly reason: string };
