import { isObject } from "../contract/isObject.ts";

export type Raw = Readonly<Record<string, unknown>>;

/** The value at the first dotted path that exists. Reports use snake case or camel case. */
export function readValue(raw: unknown, ...paths: readonly string[]): unknown {
	for (const path of paths) {
		let value: unknown = raw;
		for (const key of path.split("."))
			value = isObject(value) ? value[key] : Array.isArray(value) ? value[Number(key)] : undefined;
		if (value !== undefined && value !== null) return value;
	}
	return undefined;
}

export function readText(raw: unknown, ...paths: readonly string[]): string | undefined {
	const value = readValue(raw, ...paths);
	if (typeof value === "number") return String(value);
	return typeof value === "string" && value !== "" ? value : undefined;
}

export function readNumber(raw: unknown, ...paths: readonly string[]): number | undefined {
	const value = readValue(raw, ...paths);
	const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
	return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export function readList(raw: unknown, ...paths: readonly string[]): readonly unknown[] {
	const value = readValue(raw, ...paths);
	return Array.isArray(value) ? value : [];
}

export function readTexts(raw: unknown, ...paths: readonly string[]): string[] {
	return readList(raw, ...paths).flatMap(
		(item) => readText(item, "url", "cweId", "cwe_id") ?? (typeof item === "string" ? item : []),
	);
}

/** An object without the members that are undefined. */
export function dropAbsent<T extends Record<string, unknown>>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
	return Object.fromEntries(
		Object.entries(value).filter(([, inner]) => inner !== undefined && !(Array.isArray(inner) && inner.length === 0)),
	) as {
		[K in keyof T]: Exclude<T[K], undefined>;
	};
}
