import type { Buffer } from "node:buffer";
import type { ResponseEnvelope } from "../../wire/envelope.ts";
import { memberSpan } from "../../wire/memberSpan.ts";
import { readSpan } from "../../wire/readSpan.ts";

/** The cursor of the next page; undefined on the last page, which some servers mark with an empty cursor. */
export function nextCursor(frame: Buffer, { result }: ResponseEnvelope): string | undefined {
	const span = memberSpan(frame, result, ["nextCursor"]);
	const cursor = "found" in span ? readSpan(frame, span.found) : undefined;
	return typeof cursor === "string" && cursor !== "" ? cursor : undefined;
}
