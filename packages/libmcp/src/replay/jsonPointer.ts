/** The value that an RFC 6901 pointer names in a JSON document; undefined when there is none. */
export function resolvePointer(document: unknown, pointer: string): unknown {
	if (pointer === "") return document;
	let value = document;
	for (const token of pointer.slice(1).split("/")) {
		const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
		if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(key)) return undefined;
		value = (value as Record<string, unknown>)[key];
	}
	return value;
}

/** True for any well-formed JSON Pointer (RFC 6901). */
export function isPointer(value: unknown): value is string {
	return typeof value === "string" && (value === "" || (value.startsWith("/") && !/~(?![01])/.test(value)));
}
