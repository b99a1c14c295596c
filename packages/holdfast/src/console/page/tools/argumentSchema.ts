import type { Answers } from "../../../api/answers.ts";
import { isExactNumber } from "../exactJson.ts";

export type FieldKind = "text" | "number" | "boolean" | "choice" | "lines" | "json" | "text or json";

/** The schema of one argument. */
export type Property = Schema & {
	/** The JSON types that it accepts besides null; empty if the schema names none. */
	readonly types: readonly string[];
	readonly nullable: boolean;
};

/** A tool's named arguments, with references to other parts of the schema resolved. */
export function listProperties(schema: Schema): Readonly<Record<string, Property>> {
	const { properties } = resolved(schema, schema);
	// A server may declare anything here; only an object has fields.
	if (!isSchema(properties)) return {};
	const named = Object.entries(properties).filter(([, property]) => !isForbidden(property));
	return Object.fromEntries(named.map(([name, property]) => [name, besidesNull(schema, resolved(schema, property))]));
}

/** Schemas reserve a name by accepting no value for it. */
function isForbidden(property: unknown): boolean {
	if (!isSchema(property)) return property === false;
	return property.not === true || (isSchema(property.not) && Object.keys(property.not).length === 0);
}

/** Schema generators list arguments with a default as required, but calls may omit them. */
export function isRequired(schema: Schema, name: string): boolean {
	const { required, properties } = resolved(schema, schema);
	return Array.isArray(required) && required.includes(name) && properties?.[name]?.default === undefined;
}

/** Whether a tool takes arguments besides those it names: any at all, or those of a variant such as `oneOf`. */
export function hasOthers(schema: Schema): boolean {
	const { additionalProperties, patternProperties, anyOf, oneOf, allOf, properties } = resolved(schema, schema);
	if (additionalProperties === true || isSchema(additionalProperties) || isSchema(patternProperties)) return true;
	return [anyOf, oneOf, allOf]
		.flatMap((variants) => (Array.isArray(variants) ? variants : []))
		.flatMap((variant) => Object.keys(resolved(schema, variant).properties ?? {}))
		.some((name) => properties?.[name] === undefined);
}

/** The kind of form field for an argument. */
export function findKind(property: Property): FieldKind {
	if (listChoices(property) !== undefined) return "choice";
	const [only, ...others] = property.types;
	if (others.length > 0) return property.types.includes("string") ? "text or json" : "json";
	switch (only) {
		case "string":
			return "text";
		case "integer":
		case "number":
			return "number";
		case "boolean":
			return "boolean";
		case "array":
			return property.items?.type === "string" && listChoices(property.items) === undefined ? "lines" : "json";
		default:
			return "json";
	}
}

/** The allowed values, if the schema lists them. */
export function listChoices({ enum: choices, const: only }: Schema): readonly unknown[] | undefined {
	if (Array.isArray(choices)) return choices;
	return only === undefined ? undefined : [only];
}

/** Optional arguments are often declared as some type or null; the field is for that type. */
function besidesNull(root: Schema, schema: Schema): Property {
	const declared = schema.anyOf ?? schema.oneOf;
	const variants = (Array.isArray(declared) ? declared : []).map((variant) => resolved(root, variant));
	const types = new Set(schema.type === undefined ? typesOfAll(variants) : typesOf(schema));
	const nullable = types.delete("null");
	const [only, ...more] = variants.filter(({ type }) => type !== "null");
	return {
		...(nullable && more.length === 0 && only),
		...schema,
		...(schema.items !== undefined && { items: resolved(root, schema.items) }),
		types: [...types],
		nullable,
	};
}

/** Empty if any variant names no type, because that variant accepts anything. */
function typesOfAll(variants: readonly Schema[]): readonly string[] {
	const types = variants.map(typesOf);
	return types.every(({ length }) => length > 0) ? types.flat() : [];
}

function typesOf(schema: Schema): readonly string[] {
	const { type } = schema;
	if (typeof type === "string") return [type];
	return Array.isArray(type) ? type : (listChoices(schema)?.map(describeType) ?? []);
}

/** The JSON type of a value. */
export function describeType(value: unknown): string {
	if (value === null) return "null";
	if (isExactNumber(value)) return "number";
	return Array.isArray(value) ? "array" : typeof value;
}

/** Ends a reference that leads back to itself. */
const MOST_STEPS = 10;

/** Follows a schema's `$ref`, which generators write for named types. */
function resolved(root: Schema, schema: unknown, left = MOST_STEPS): Schema {
	if (!isSchema(schema)) return {};
	const { $ref, allOf, ...own } = schema;
	if (typeof $ref === "string" && left > 0) return { ...resolved(root, pointed(root, $ref), left - 1), ...own };
	// Older generators wrap a reference in `allOf` to add a description or default beside it.
	const [only, ...more] = Array.isArray(allOf) ? allOf : [];
	if (only !== undefined && more.length === 0 && left > 0) return { ...resolved(root, only, left - 1), ...own };
	return schema;
}

/** Looks up a JSON Pointer within the schema. */
function pointed(root: Schema, ref: string): unknown {
	if (!ref.startsWith("#/")) return undefined;
	let at: unknown = root;
	for (const part of ref.slice(2).split("/")) {
		const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
		at = isSchema(at) && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
	}
	return at;
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function isSchema(value: unknown): value is Schema {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parts of a JSON schema that the page reads. */
export type Schema = {
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly description?: string;
	readonly default?: unknown;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly allOf?: readonly Schema[];
	readonly not?: boolean | Schema;
	readonly $ref?: string;
	readonly additionalProperties?: boolean | Schema;
	readonly patternProperties?: Readonly<Record<string, Schema>>;
	readonly minimum?: number;
	readonly maximum?: number;
};

/** The schema of a tool's arguments, as its server declares it. */
export function findArguments({ inputSchema }: Answers["describeTool"]["definition"]): Schema {
	return typeof inputSchema === "object" && inputSchema !== null ? inputSchema : {};
}
