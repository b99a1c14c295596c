import type { ReplayContract } from "./decide.ts";
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

const EFFECT_POINTER = `/_meta/${EFFECT_META_KEY.replace("/", "~1")}`;

/** From the declaration in `_meta` if there is one, else from the tool's annotations, else at most once. */
export function readToolEffect(tool: unknown): Effect {
	const declared = resolvePointer(tool, EFFECT_POINTER);
	// A declaration that cannot be read may forbid what the annotations allow.
	if (declared !== undefined) return parseEffect(declared) ?? AT_MOST_ONCE;
	const safe =
		resolvePointer(tool, "/annotations/readOnlyHint") === true ||
		resolvePointer(tool, "/annotations/idempotentHint") === true;
	return safe ? REPLAY_SAFE : AT_MOST_ONCE;
}

/** Whether the tool declares an effect that no host can read. */
export function isEffectUnreadable(tool: unknown): boolean {
	const declared = resolvePointer(tool, EFFECT_POINTER);
	return declared !== undefined && parseEffect(declared) === undefined;
}

/** Parses an effect declaration; undefined unless it is complete and valid, because half a promise is none. */
export function parseEffect(value: unknown): Effect | undefined {
	const recovery = parseRecovery(value);
	if (recovery === undefined) return undefined;
	const journal = resolvePointer(value, "/journal");
	if (journal === undefined) return { recovery };
	const key = resolvePointer(journal, "/key");
	const repeatable = recovery.kind === "replay_safe" || recovery.kind === "deduplicated";
	if (!repeatable || typeof journal !== "object" || !(key === undefined || isPointer(key))) return undefined;
	return { recovery, journal: key === undefined ? {} : { key } };
}

/** The replay contract of one call. A deduplicated call without its key runs at most once. */
export function resolveContract(recovery: Recovery, callArguments: () => unknown): ReplayContract {
	switch (recovery.kind) {
		case "replay_safe":
			return "convergent";
		case "probe_required":
			return "probe_required";
		case "at_most_once":
			return "never_replay";
		case "deduplicated": {
			const key = resolvePointer(callArguments(), recovery.key);
			const isGiven = (typeof key === "string" && key !== "") || typeof key === "number";
			return isGiven ? "convergent" : "never_replay";
		}
	}
}

/** Reads both spellings: `recovery: { kind, key }`, and `recovery: kind` with the key beside it, as in a contract file. */
function parseRecovery(declaration: unknown): Recovery | undefined {
	const said = resolvePointer(declaration, "/recovery");
	const [kind, key] =
		typeof said === "string"
			? [said, resolvePointer(declaration, "/key")]
			: [resolvePointer(said, "/kind"), resolvePointer(said, "/key")];
	switch (kind) {
		case "replay_safe":
		case "probe_required":
		case "at_most_once":
			return { kind };
		case "deduplicated":
			return isPointer(key) ? { kind, key } : undefined;
		default:
			return undefined;
	}
}

/** What each MCP method of both eras does to the world; for `tools/call` that depends on the tool. */
export function findMethodEffect(method: string): Effect {
	return SAFE_METHODS.has(method) ? REPLAY_SAFE : AT_MOST_ONCE;
}

const SAFE_METHODS: ReadonlySet<string> = new Set([
	// Legacy: up to 2025-11-25.
	"initialize",
	"ping",
	"logging/setLevel",
	"resources/subscribe",
	"resources/unsubscribe",
	"tasks/get",
	"tasks/list",
	"tasks/result",
	// Modern: from 2026-07-28.
	"server/discover",
	"subscriptions/listen",
	// Both.
	"tools/list",
	"resources/list",
	"resources/templates/list",
	"resources/read",
	"prompts/list",
	"prompts/get",
	"completion/complete",
]);
