import type { Diagnostic } from "../parse/chunk.ts";

export type ToolDiagnostic = Diagnostic & { readonly tool: string };

/** A finding as reported. A place is a path or a `file:` URL; the first place inside the root is used. */
export type Finding = ToolDiagnostic & { readonly places: readonly string[] };
