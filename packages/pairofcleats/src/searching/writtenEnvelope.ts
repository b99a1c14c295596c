import type { Envelope } from "../contract/envelope.ts";
import { isWrittenSearch } from "./writtenSearch.ts";

/** An envelope as compact JSON, and the same JSON encoded as a JSON string. */
export type WrittenEnvelope = { readonly text: string; readonly asString: string };

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
