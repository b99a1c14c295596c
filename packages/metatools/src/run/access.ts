import type { CatalogTool } from "../catalog/tool.ts";
import { ToolError } from "../contract/errors.ts";

/** The caller whose view of the catalogue this is; transports that authenticate create one per caller. */
export type Viewer = {
	/** Stable per caller; cursors and stored results belong to it. */
	readonly id: string;
	/** Distinguishes callers that share an id, so that one session does not push out the stored results of another. */
	readonly session?: string;
	/** The toolset this caller is confined to, by id. */
	readonly toolset?: string;
	readonly scopes?: readonly string[];
	/** What this caller has for searching tools, if that is not `search_tools`. */
	readonly search?: string;
};

/** The user who runs the gateway on this machine, without authentication. */
export const LOCAL_VIEWER: Viewer = { id: "local" };

/** `hide`: as if the tool did not exist. `refuse`: only its id and the reason are given, since its words may be bait. */
export type Verdict =
	| { readonly kind: "allow" }
	| { readonly kind: "hide" }
	| { readonly kind: "refuse"; readonly reason: string };

export const ALLOW: Verdict = { kind: "allow" };
export const HIDE: Verdict = { kind: "hide" };

/** Decides what a caller may find and run: toolsets, policy and quarantine are gates. The strictest verdict wins. */
export type Gate = {
	check(tool: CatalogTool, viewer: Viewer): Verdict;
	/** Whether a caller may come to see some tool of a namespace whose tools are not known, or the one of this id. */
	admits?(namespace: string, viewer: Viewer, id?: string): boolean;
	/** Whether a caller may know of a namespace whatever tools it has. By default, if it is admitted; without both, it may. */
	covers?(namespace: string, viewer: Viewer): boolean;
};

export function checkAll(gates: readonly Gate[], tool: CatalogTool, viewer: Viewer): Verdict {
	let strictest: Verdict = ALLOW;
	for (const gate of gates) {
		const verdict = gate.check(tool, viewer);
		if (verdict.kind === "hide") return verdict;
		if (verdict.kind === "refuse") strictest = verdict;
	}
	return strictest;
}

/** Before a tool runs, and before any of its words are shown to a model. */
export function throwIfRefused(tool: CatalogTool, verdict: Verdict): void {
	if (verdict.kind === "refuse") throw createRefusal(tool, verdict.reason);
}

export function createRefusal(tool: CatalogTool, reason: string): ToolError {
	return new ToolError("execution_failed", reason, {
		tool_id: tool.id,
		op: "authorize",
		backend_kind: tool.backend.kind,
		retryable: false,
	});
}
