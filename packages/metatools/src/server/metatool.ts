import type { Recovery } from "libmcp";
import type { JsonObject } from "../contract/json.ts";
import type { Viewer } from "../run/access.ts";
import type { BackendCall } from "../run/backend.ts";
import type { RunProgress } from "./progress.ts";

/** What a metatool answers, before it is rendered and fitted into the caller's budget. */
export type Output = {
	readonly data: JsonObject;
	/** The same for people and models: short lines. */
	readonly text: string;
	readonly isError?: boolean;
	/** Set where `data` can be large. */
	readonly bulk?: Bulk;
	/** Images, sounds and resources that a tool gave, passed on as they are. */
	readonly media?: readonly JsonObject[];
};

/** How an answer is cut. */
export type Bulk = {
	/** What is kept for read_result. */
	readonly full: string;
	/** The end of `full`, if it must be seen however much comes before it. */
	readonly ending?: string;
	/** `data` without what makes it large. */
	shrink(): JsonObject;
	/** The field of that which gets the beginning of `full`; without it that is in the text only. */
	readonly previewAs?: string;
};

export type MetatoolCall = {
	readonly viewer: Viewer;
	readonly signal: AbortSignal;
	/** Present when the caller asked for progress. */
	readonly progress?: RunProgress;
	/** Present when the caller's client can put a server's question to a person. */
	readonly ask?: BackendCall["ask"] & {};
	readonly caller?: BackendCall["caller"] & {};
};

/** One tool of the gateway's own, stable surface. */
export type Metatool = {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly inputSchema: JsonObject;
	readonly outputSchema: JsonObject;
	/** What may be done with a call whose server died. */
	readonly recovery: Recovery["kind"] & ("replay_safe" | "at_most_once");
	handle(input: JsonObject, call: MetatoolCall): Promise<Output>;
};
