import { isJsonArray, isJsonObject, type JsonValue } from "./jsonValue.ts";

/** A key as an escaped step of an RFC 6901 pointer, with its slash. */
export function pointerStep(key: string | number): string {
	if (typeof key === "number" || !(key.includes("~") || key.includes("/"))) return `/${key}`;
	return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The pointer's reference tokens; undefined if the text is not a pointer. */
export function pointerTokens(pointer: string): string[] | undefined {
	if (pointer === "") return [];
	if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
	return pointer
		.slice(1)
		.split("/")
		.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function childAt(value: JsonValue, token: string): JsonValue | undefined {
	if (isJsonArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
	return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
	let value: JsonValue | undefined = root;
	for (const token of pointerTokens(pointer) ?? [undefined]) {
		if (value === undefined || token === undefined) return undefined;
		value = childAt(value, token);
	}
	return value;
}
