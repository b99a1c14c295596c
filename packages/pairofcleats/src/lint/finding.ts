import type { Diagnostic } from "../parse/chunk.ts";

export type ToolDiagnostic = Diagnostic & { readonly tool: string };

/** A finding as its report writes it: a place may be a path, or a `file:` address; the first inside the root counts. */
export type Finding = ToolDiagnostic & { readonly places: readonly string[] };
