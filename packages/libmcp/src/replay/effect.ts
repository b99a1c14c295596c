import type { ReplayContract } from "./contract.ts";
import { isPointer, resolvePointer } from "./jsonPointer.ts";

/** The key in a tool's `_meta` under which its author declares what a call does to the world. */
export const EFFECT_META_KEY = "io.libmcp/effect";

/** What a call does, in the terms of a tool's author; `contractOf` maps it to one of the three replay contracts. */
export type Effect = {
	readonly recovery: Recovery;
	/** For a call that changes worker memory: the host repeats the latest call of each key on every new worker. */
	readonly journal?: Journal;
};

export type Recovery =
	| { readonly kind: "replay_safe" }
	/** The server ignores repeated calls with the same value at `key` (a JSON Pointer into the arguments). */
	| { readonly kind: "deduplicated"; readonly key: string }
	| { readonly kind: "probe_required" }
	| { readonly kind: "at_most_once" };

/** A later call with the same value at `key` replaces the earlier one; without a key, any later call does. */
export type Journal = { readonly key?: string };

export const AT_MOST_ONCE: Effect = { recovery: { kind: "at_most_once" } };
export const REPLAY_SAFE: Effect = { recovery: { kind: "replay_safe" } };

/** From the declaration in `_meta` if there is one, else from the tool's annotations, else at most once. */
export function effectOfTool(tool: unknown): Effect {
	const declared = parseEffect(resolvePointer(tool, `/_meta/${EFFECT_META_KEY.replace("/", "~1")}`));
	if (declared !== undefined) return declared;
	const safe =
		resolvePointer(tool, "/annotations/readOnlyHint") === true ||
		resolvePointer(tool, "/annotations/idempotentHint") === true;
	return safe ? REPLAY_SAFE : AT_MOST_ONCE;
}

/** Parses an effect declaration; undefined unless it is complete and valid, because half a promise is none. */
export function parseEffect(value: unknown): Effect | undefined {
	const recovery = parseRecovery(resolvePointer(value, "/recovery"));
	if (recovery === undefined) return undefined;
	const journal = resolvePointer(value, "/journal");
	if (journal === undefined) return { recovery };
	const key = resolvePointer(journal, "/key");
	const repeatable = recovery.kind === "replay_safe" || recovery.kind === "deduplicated";
	if (!repeatable || typeof journal !== "object" || !(key === undefined || isPointer(key))) return undefined;
	return { recovery, journal: key === undefined ? {} : { key } };
}

/** The replay contract of one call. A deduplicated call without its key runs at most once. */
export function contractOf(recovery: Recovery, callArguments: () => unknown): ReplayContract {
	switch (recovery.kind) {
		case "replay_safe":
			return "convergent";
		case "probe_required":
			return "probe_required";
		case "at_most_once":
			return "never_replay";
		case "deduplicated": {
			const key = resolvePointer(callArguments(), recovery.key);
			return typeof key === "string" || typeof key === "number" ? "convergent" : "never_replay";
		}
	}
}

function parseRecovery(value: unknown): Recovery | undefined {
	const kind = resolvePointer(value, "/kind");
	switch (kind) {
		case "replay_safe":
		case "probe_required":
		case "at_most_once":
			return { kind };
		case "deduplicated": {
			const key = resolvePointer(value, "/key");
			return isPointer(key) ? { kind, key } : undefined;
		}
		default:
			return undefined;
	}
}
