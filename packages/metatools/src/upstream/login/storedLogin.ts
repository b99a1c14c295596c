import type { ReachableSpec } from "../spec.ts";

/** What a login has stored for a server, if anything. */
export type StoredLogin = (spec: ReachableSpec) => { readonly token: string | undefined } | undefined;
