import type { CatalogTool, Gateway, Upstream } from "metatools";

/** Tools that cannot be run before somebody approves them, and what a person can do about that. */
export type HeldByRollout = { readonly tools: readonly string[]; readonly remedy: string };

/** How long the new list may take to arrive at the gateway. */
const LISTING_MS = 5_000;

/** Called before a rollout; what it returns, called after it, finds the tools that the new release causes to be held. */
export function heldByRollout(
	upstream: Upstream,
	gateway: Pick<Gateway, "catalog" | "quarantine" | "waiting">,
): () => Promise<HeldByRollout | undefined> {
	const held = (): CatalogTool[] => {
		const { catalog, quarantine } = gateway;
		return quarantine?.waiting(catalog.toolsOf(upstream.spec.namespace)).map(({ tool }) => tool) ?? [];
	};
	const before = new Set(held().map(definitionOf));
	return async () => {
		upstream.refresh();
		// A list that does not arrive is told of elsewhere; the rollout has succeeded all the same.
		await upstream.settled(AbortSignal.timeout(LISTING_MS)).catch(() => {});
		const tools = held().filter((tool) => !before.has(definitionOf(tool)));
		return tools.length === 0 ? undefined : { tools: tools.map(({ id }) => id), remedy: gateway.waiting.remedy };
	};
}

function definitionOf({ id, fingerprint }: CatalogTool): string {
	return `${id} ${fingerprint}`;
}
