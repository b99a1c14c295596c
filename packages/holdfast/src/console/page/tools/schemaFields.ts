import type { Schema } from "../model.ts";

/** What is in the form, as text, by property. */
export type Fields = Readonly<Record<string, string>>;
export type Arguments = { readonly args: Readonly<Record<string, unknown>> } | { readonly problem: string };

export type FieldKind = "text" | "number" | "boolean" | "choice" | "lines" | "json";

/** One of the arguments; `nullable` where it may be null besides. */
export type Property = Schema & { readonly nullable: boolean };

/** Defaults, or the given arguments, as the form shows them. */
export function initialFields(schema: Schema, args?: Readonly<Record<string, unknown>>): Fields {
	const fields: Record<string, string> = {};
	for (const [name, property] of Object.entries(propertiesOf(schema))) {
		const value = args === undefined ? property.default : args[name];
		if (value === undefined || (value === null && property.nullable)) continue;
		const kind = kindOf(property);
		if (kind === "text" && typeof value === "string") fields[name] = value;
		else if (kind === "lines" && Array.isArray(value)) fields[name] = value.join("\n");
		else fields[name] = JSON.stringify(value);
	}
	return fields;
}

/** Empty fields are left out, so that the tool's own defaults hold; where one must be there and may be null, it is that. */
export function readFields(schema: Schema, fields: Fields): Arguments {
	const args: Record<string, unknown> = {};
	for (const [name, property] of Object.entries(propertiesOf(schema))) {
		const kind = kindOf(property);
		const text = fields[name] ?? "";
		if (text !== "" && (kind === "text" || text.trim() !== "")) {
			const read = readField(kind, text);
			if ("expected" in read)
				return { problem: `${name}: expected ${read.expected}, got ${JSON.stringify(text.slice(0, 60))}` };
			args[name] = read.value;
		} else if (property.nullable && isRequired(schema, name)) args[name] = null;
	}
	return { args };
}

function readField(kind: FieldKind, text: string): { readonly value: unknown } | { readonly expected: string } {
	switch (kind) {
		case "text":
			return { value: text };
		case "lines":
			return { value: text.split("\n").filter((line) => line !== "") };
		case "number":
			return Number.isFinite(Number(text)) ? { value: Number(text) } : { expected: "a number" };
		case "boolean":
		case "choice":
		case "json":
			try {
				return { value: JSON.parse(text) };
			} catch {
				return { expected: "JSON" };
			}
	}
}

/** What is filled in where a schema says this. */
export function kindOf({ type, enum: choices, items }: Schema): FieldKind {
	if (Array.isArray(choices)) return "choice";
	switch (type) {
		case "string":
			return "text";
		case "integer":
		case "number":
			return "number";
		case "boolean":
			return "boolean";
		case "array":
			return items?.type === "string" && items.enum === undefined ? "lines" : "json";
		default:
			return "json";
	}
}

// A server may declare anything; what is no object schema has no fields.
export function propertiesOf({ properties }: Schema): Readonly<Record<string, Property>> {
	if (typeof properties !== "object" || properties === null) return {};
	return Object.fromEntries(
		Object.entries(properties).map(([name, schema]) => [
			name,
			besidesNull(typeof schema === "object" && schema !== null ? schema : {}),
		]),
	);
}

/** What may be left out is often declared as something or null: the field is for the something. */
function besidesNull(schema: Schema): Property {
	const { type } = schema;
	const [own, ...others] = Array.isArray(type) ? type.filter((one) => one !== "null") : [];
	if (own !== undefined && others.length === 0) return { ...schema, type: own, nullable: true };
	const variants = schema.anyOf ?? schema.oneOf;
	const [only, ...more] = Array.isArray(variants) ? variants.filter((one) => one?.type !== "null") : [];
	const isNullable = Array.isArray(variants) && variants.length === 2 && more.length === 0;
	return isNullable && typeof only === "object"
		? { ...only, ...schema, nullable: true }
		: { ...schema, nullable: false };
}

/** Generators list what has a default among the required; calls may leave it out. */
export function isRequired({ required, properties }: Schema, name: string): boolean {
	return Array.isArray(required) && required.includes(name) && properties?.[name]?.default === undefined;
}
