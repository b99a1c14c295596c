import type { Fault } from "../fault/fault.ts";
import type { CatalogueKind } from "../host/lists/catalogue.ts";

/** `changed` names the lists that differ from before; the client has been told. */
export type RolloutOutcome =
	| { readonly ok: true; readonly generation: number; readonly changed: readonly CatalogueKind[] }
	| { readonly ok: false; readonly fault: Fault };
