import type { Envelope, EnvelopeWarning } from "../contract/envelope.ts";
import type { SearchResult } from "../query/result.ts";

const WRITTEN: unique symbol = Symbol.for("pairofcleats.writtenSearch");

/** The payload of a search as JSON text, so that it is serialised only once. */
export class WrittenSearch {
	readonly [WRITTEN] = true;
	readonly text: string;
	readonly warnings: readonly EnvelopeWarning[];
	#inString: string | undefined;

	constructor(text: string, warnings: readonly EnvelopeWarning[]) {
		this.text = text;
		this.warnings = warnings;
	}

	/** The text escaped for use inside a JSON string, without the quotes. */
	get inString(): string {
		this.#inString ??= JSON.stringify(this.text).slice(1, -1);
		return this.#inString;
	}

	toJSON(): unknown {
		return JSON.parse(this.text);
	}
}

/** Also recognises instances from another copy of this module, as in a bundle. */
function isWrittenSearch(value: unknown): value is WrittenSearch {
	return typeof value === "object" && value !== null && WRITTEN in value;
}

/** The part of a result that is sent. Timings are omitted, so that equal searches have equal answers. */
export type SearchPayload = Omit<SearchResult, "timings" | "checkedAt">;

export function searchPayload({ timings: _, checkedAt: __, ...payload }: SearchResult): SearchPayload {
	return payload;
}

/** An envelope as compact JSON, and the same JSON encoded as a JSON string. */
type WrittenEnvelope = { readonly text: string; readonly asString: string };

export function writeEnvelope(envelope: Envelope): WrittenEnvelope {
	const search = envelope.ok ? envelope.result.search : undefined;
	if (!envelope.ok || !isWrittenSearch(search)) {
		const text = JSON.stringify(envelope);
		return {
			text,
			get asString() {
				return JSON.stringify(text);
			},
		};
	}
	const { search: _, ...rest } = envelope.result;
	const members = JSON.stringify(rest).slice(1, -1);
	const head = `{"ok":true,"result":{${members}${members === "" ? "" : ","}"search":`;
	const tail = `},"_meta":${JSON.stringify(envelope._meta)}}`;
	return {
		text: `${head}${search.text}${tail}`,
		get asString() {
			return `${JSON.stringify(head).slice(0, -1)}${search.inString}${JSON.stringify(tail).slice(1)}`;
		},
	};
}
