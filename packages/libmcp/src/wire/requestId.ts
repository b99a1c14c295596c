/** A JSON-RPC id as its JSON text, so that `1`, `"1"`, `1.0` and integers beyond 2^53 keep their exact form. */
export type RequestId = string & { readonly __brand: "RequestId" };

/** Ids are map keys and are sent with every answer; a longer one is treated as an attack. */
export const MAX_ID_BYTES = 1024;

/** The id with this JSON text; undefined when the text is neither a string nor a number. */
export function parseRequestId(text: string): RequestId | undefined {
	return isRequestId(text) ? text : undefined;
}

/** True for the JSON text of a string or number that can be an id. */
export function isRequestId(text: string): text is RequestId {
	return text.length <= MAX_ID_BYTES && (NUMBER.test(text) || isStringText(text));
}

/** The id for a JavaScript value, as `JSON.stringify` would write it. */
export function toRequestId(value: string | number): RequestId {
	const text = typeof value === "number" && !Number.isFinite(value) ? "" : JSON.stringify(value);
	if (isRequestId(text)) return text;
	throw new TypeError(
		`a request id must be a finite number or a string of at most ${MAX_ID_BYTES} bytes, got ${value}`,
	);
}

/** Whether both have the same JSON type and value: `"a"` equals `"\u0061"`, but `1` equals neither `"1"` nor `1.0`. */
export function sameRequestId(a: RequestId, b: RequestId): boolean {
	return a === b || (a.startsWith('"') && b.startsWith('"') && JSON.parse(a) === JSON.parse(b));
}

/** A single spelling for each id: `"a"` and `"\u0061"` are the same string; numbers stay as they are. */
export function toRequestKey(id: RequestId): RequestId {
	return id.startsWith('"') && id.includes("\\") ? respellId(id) : id;
}

/** Whether the id survives a JavaScript peer that parses it and writes it back. */
export function isPlainId(text: string): boolean {
	return PLAIN.test(text);
}

/** The id as a JavaScript peer writes it back: `1.0` becomes `1`, large integers are rounded. */
export function respellId(id: RequestId): RequestId {
	const text = JSON.stringify(JSON.parse(id));
	return isRequestId(text) ? text : id;
}

/** The id as the other JSON type, for a peer that mixes them up: `"1"` for `1`, and the reverse; undefined for other strings. */
export function retypeId(id: RequestId): RequestId | undefined {
	const text = id.startsWith('"') ? id.slice(1, -1) : `"${id}"`;
	return parseRequestId(text);
}

/** The id as a value for `JSON.stringify`, which writes it in its original spelling. */
export function toJsonId(id: RequestId): unknown {
	return rawJson(id);
}

/** `String(id)` without floating-point rounding; a cancellation may use this loose form. */
export function toLooseId(id: RequestId): string {
	if (id.startsWith('"')) return String(JSON.parse(id));
	return id.replace(/^(-?\d+)\.0+$/, "$1");
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const PLAIN = /^(?:0|-?[1-9]\d{0,14}|"[^\\]*")$/;

function isStringText(text: string): boolean {
	if (!text.startsWith('"')) return false;
	try {
		return typeof JSON.parse(text) === "string";
	} catch {
		return false;
	}
}

// Every supported version of Node has these, but TypeScript's libraries do not declare them yet.

/** A value that `JSON.stringify` writes as this text, which must be that of a string, number, boolean or null. */
export const rawJson: (text: string) => unknown = Reflect.get(JSON, "rawJSON");

export const isRawJson: (value: unknown) => boolean = Reflect.get(JSON, "isRawJSON");
