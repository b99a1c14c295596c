import { isUtf8 } from "node:buffer";
import { ApiError } from "./apiError.ts";

/** The text of a request's body, which is to be JSON. Decoding bytes of another encoding would change what was sent. */
export function bodyText(bytes: Buffer): string {
	if (!isUtf8(bytes)) throw notJson("bytes that are not UTF-8");
	const text = bytes.toString("utf8");
	if (text.startsWith("\ufeff")) throw notJson("a text that begins with a byte order mark");
	if (text.trim() === "") throw notJson("nothing");
	return text;
}

export function notJson(got: string): ApiError {
	return new ApiError("invalid_request", `body: expected JSON, got ${got}`);
}
