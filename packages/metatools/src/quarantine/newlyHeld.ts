import type { CatalogTool } from "../catalog/tool.ts";
import type { Quarantine, Quarantined } from "./quarantine.ts";

const MOST_KNOWN = 10_000;

/** Finds the tools that wait for approval and did not when it was last asked; each definition is told once. */
export class NewlyHeld {
	readonly #quarantine: Quarantine;
	readonly #known = new Set<string>();

	constructor(quarantine: Quarantine) {
		this.#quarantine = quarantine;
	}

	among(tools: readonly CatalogTool[]): readonly Quarantined[] {
		return this.#quarantine.waiting(tools).filter(({ tool }) => {
			const key = `${tool.id} ${tool.fingerprint}`;
			if (this.#known.has(key)) return false;
			// A server may keep changing its tools; do not let this grow without limit.
			if (this.#known.size >= MOST_KNOWN) this.#known.clear();
			this.#known.add(key);
			return true;
		});
	}
}
