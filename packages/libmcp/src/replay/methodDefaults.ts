import { AT_MOST_ONCE, type Effect, REPLAY_SAFE } from "./effect.ts";

/** What each MCP method of both eras does to the world; for `tools/call` that depends on the tool. */
export function effectOfMethod(method: string): Effect {
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
