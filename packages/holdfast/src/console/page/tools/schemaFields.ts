import { isExactNumber, parseExactly } from "../exactJson.ts";
import {
	describeType,
	findKind,
	hasOthers,
	isRequired,
	listProperties,
	type Property,
	type Schema,
} from "./argumentSchema.ts";

/** The form's texts, by argument name. */
export type Fields = Readonly<Record<string, string>>;
export type Arguments = { readonly args: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** The key of the field for all arguments without their own; no argument has this name. */
export const OTHERS = "\0others";

/** Fills the form with the given arguments, or with the schema's defaults. */
export function createFields(schema: Schema, args?: Readonly<Record<string, unknown>>): Fields {
	const fields: Record<string, string> = {};
	const properties = listProperties(schema);
	for (const [name, property] of Object.entries(properties)) {
		const value = args === undefined ? property.default : args[name];
		if (value === undefined || (value === null && property.nullable)) continue;
		fields[name] = written(property, value);
	}
	const others = Object.entries(args ?? {}).filter(([name]) => !Object.hasOwn(properties, name));
	if (others.length > 0) fields[OTHERS] = JSON.stringify(Object.fromEntries(others), undefined, 2);
	return fields;
}

/** Writes a value in the form that `readField` reads. */
function written(property: Property, value: unknown): string {
	switch (findKind(property)) {
		case "text":
			return typeof value === "string" ? value : JSON.stringify(value);
		case "lines":
			return Array.isArray(value) ? writtenLines(value) : JSON.stringify(value);
		case "text or json": {
			const read = typeof value === "string" ? readField(property, value) : undefined;
			return read !== undefined && "value" in read && read.value === value ? String(value) : JSON.stringify(value);
		}
		default:
			return JSON.stringify(value);
	}
}

/** As lines, unless they would be read as another list, such as one without its empty texts. */
function writtenLines(list: readonly unknown[]): string {
	const text = list.join("\n");
	return list.length > 0 && JSON.stringify(readLines(text)) === JSON.stringify(list) ? text : JSON.stringify(list);
}

/** Omits empty fields, so that the tool's defaults apply; a required argument that may be null becomes null. */
export function readFields(schema: Schema, fields: Fields): Arguments {
	const { [OTHERS]: besides = "" } = fields;
	const others = hasOthers(schema) ? readOthers(besides) : {};
	if (others === undefined) return { problem: "Arguments: expected a JSON object" };
	const args: Record<string, unknown> = { ...others };
	for (const [name, property] of Object.entries(listProperties(schema))) {
		const kind = findKind(property);
		const text = fields[name] ?? "";
		if (text !== "" && (kind === "text" || text.trim() !== "")) {
			const read = readField(property, text);
			if ("expected" in read)
				return { problem: `${name}: expected ${read.expected}, got ${JSON.stringify(text.slice(0, 60))}` };
			args[name] = read.value;
		} else if (property.nullable && isRequired(schema, name)) args[name] = null;
	}
	return { args };
}

function readOthers(text: string): Readonly<Record<string, unknown>> | undefined {
	if (text.trim() === "") return {};
	const value = parsed(text)?.value;
	return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

type Read = { readonly value: unknown } | { readonly expected: string };

function readField(property: Property, text: string): Read {
	switch (findKind(property)) {
		case "text":
			return { value: text };
		case "lines":
			return { value: readLines(text) };
		case "number":
			return readNumber(text);
		case "text or json":
			return readTextOrJson(property, text);
		case "boolean":
		case "choice":
		case "json":
			return parsed(text) ?? { expected: "JSON" };
	}
}

/** A list in JSON can hold what lines cannot: nothing, empty texts, and texts of several lines. */
function readLines(text: string): unknown[] {
	const list = /^\s*\[/.test(text) ? parsed(text)?.value : undefined;
	if (Array.isArray(list) && list.every((item) => typeof item === "string")) return list;
	return text.split("\n").filter((line) => line !== "");
}

/** JSON of an accepted type is read as JSON, broken JSON is refused, and anything else is text. */
function readTextOrJson({ types }: Property, text: string): Read {
	const read = parsed(text);
	if (read === undefined) return /^\s*[{["]/.test(text) ? { expected: "text, or JSON" } : { value: text };
	const type = describeType(read.value);
	return types.includes(type) || (type === "number" && types.includes("integer")) ? read : { value: text };
}

function parsed(text: string): { readonly value: unknown } | undefined {
	try {
		return { value: parseExactly(text) };
	} catch {
		return undefined;
	}
}

function readNumber(text: string): Read {
	const value = Number(text);
	const exact = parsed(text.trim())?.value;
	if (isExactNumber(exact)) return { value: exact };
	if (!Number.isFinite(value)) return { expected: "a number" };
	// An old browser would round it, perhaps to the id of somebody else.
	if (/^\s*[+-]?\d+\s*$/.test(text) && !Number.isSafeInteger(value))
		return { expected: `a whole number of at most ${Number.MAX_SAFE_INTEGER}` };
	return { value };
}
