import type { EnvelopeWarning } from "../contract/envelope.ts";
import type { SearchResult } from "../query/result.ts";

const WRITTEN: unique symbol = Symbol.for("pairofcleats.writtenSearch");

/** The payload of a search as JSON text, so that it is written once however often and wherever it is sent. */
export class WrittenSearch {
	readonly [WRITTEN] = true;
	readonly text: string;
	readonly warnings: readonly EnvelopeWarning[];
	#inString: string | undefined;

	constructor(text: string, warnings: readonly EnvelopeWarning[]) {
		this.text = text;
		this.warnings = warnings;
	}

	/** The text as it stands between the quotes of a JSON string. */
	get inString(): string {
		this.#inString ??= JSON.stringify(this.text).slice(1, -1);
		return this.#inString;
	}

	toJSON(): unknown {
		return JSON.parse(this.text);
	}
}

/** True of one from another copy of this module too, as there is in a bundle. */
export function isWrittenSearch(value: unknown): value is WrittenSearch {
	return typeof value === "object" && value !== null && WRITTEN in value;
}

/** What of a result is the answer. Times stay out: the same search on the same index is the same answer everywhere. */
export function searchPayload({
	timings: _,
	checkedAt: __,
	...payload
}: SearchResult): Omit<SearchResult, "timings" | "checkedAt"> {
	return payload;
}
