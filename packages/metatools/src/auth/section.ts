import { isObject, type JsonObject, shown } from "../contract/json.ts";

/** Readers for the free parts of the configuration; each failure names the place, what was expected and what came. */
export function readText(value: unknown, place: string, quoted: (value: unknown) => string = shown): string {
	if (typeof value === "string" && value !== "") return value;
	throw new Error(`${place}: expected text, got ${quoted(value)}`);
}

export function readTexts(value: unknown, place: string): readonly string[] {
	if (value === undefined) return [];
	if (!Array.isArray(value)) throw new Error(`${place}: expected a list of texts, got ${shown(value)}`);
	return value.map((item: unknown, index) => readText(item, `${place}.${index}`));
}

export function readNumber(value: unknown, place: string): number {
	if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
	throw new Error(`${place}: expected a number above zero, got ${shown(value)}`);
}

export function readObject(value: unknown, place: string, quoted: (value: unknown) => string = shown): JsonObject {
	if (value === undefined) return {};
	if (isObject(value)) return value;
	throw new Error(`${place}: expected an object, got ${quoted(value)}`);
}

/** Rejects unknown members: a typing error in an access rule must not go unnoticed. */
export function refuseOthers(section: JsonObject, known: readonly string[], place: string): void {
	const other = Object.keys(section).find((name) => !known.includes(name));
	if (other !== undefined) throw new Error(`${place}.${other}: expected one of ${known.join(", ")}`);
}
