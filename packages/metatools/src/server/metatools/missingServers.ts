import type { Viewer } from "../../run/access.ts";
import { terms } from "../../search/text/words.ts";

/** Who was told is not told the same again for so long. */
const TOLD_MS = 10 * 60_000;
const MOST_CALLERS = 1_000;

/** Remembers whom a search has told which servers are missing, so that not every answer repeats their names. */
export class MissingServers {
	readonly #told = new Map<string, { readonly names: string; readonly at: number }>();

	/** The servers to name in an answer: all where nothing fits or the caller does not know yet, else those asked for. */
	newsFor(
		{ id, session = "" }: Viewer,
		missing: readonly string[],
		nothingFits: boolean,
		queries: readonly string[],
	): readonly string[] {
		const caller = JSON.stringify([id, session]);
		const names = missing.join(" ");
		const known = this.#told.get(caller);
		const isKnown = known !== undefined && known.names === names && Date.now() - known.at < TOLD_MS;
		if (isKnown && !nothingFits) {
			const asked = new Set(queries.flatMap(terms));
			return missing.filter((name) => terms(name).some((term) => asked.has(term)));
		}
		this.#told.delete(caller);
		if (missing.length > 0) this.#told.set(caller, { names, at: Date.now() });
		const [oldest] = this.#told.keys();
		if (this.#told.size > MOST_CALLERS && oldest !== undefined) this.#told.delete(oldest);
		return missing;
	}
}
