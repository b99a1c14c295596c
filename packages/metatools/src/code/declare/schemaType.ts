import { isObject, type JsonObject, listNeededNames, readKind } from "../../contract/json.ts";
import { resolveLocalReference } from "../../run/schema/problem.ts";
import { describeConstraints, MAX_LITERALS } from "./schemaNote.ts";
import {
	ANY_OBJECT,
	createListType,
	createObjectType,
	intersectTypes,
	joinTypes,
	type Member,
	type Type,
	UNKNOWN,
	writeLiteral,
	writeType,
} from "./typeText.ts";

const MAX_DEPTH = 12;
/** Limits the output: with references, a short schema can describe a type of any size. */
const MAX_NODES = 1_000;
const MAX_NOTE_CHARS = 20_000;
const MAX_NAME = 100;
const NEVER: Type = { texts: [] };

/** In arguments, fields with a default may be missing; in results they are present. */
export type Direction = "given" | "answered";

/** The TypeScript type that a JSON Schema describes, as text; `unknown` where it is unclear or endless. */
export function convertSchema(schema: unknown, direction: Direction): string {
	return writeType(new SchemaReader(schema, direction).type(schema, []));
}

/** Whether the caller must give at least one field. */
export function hasNeededFields(schema: unknown): boolean {
	return new SchemaReader(schema, "given").needsFields(schema, []);
}

class SchemaReader {
	readonly #root: unknown;
	readonly #direction: Direction;
	#nodes = MAX_NODES;
	#noteChars = MAX_NOTE_CHARS;

	constructor(root: unknown, direction: Direction) {
		this.#root = root;
		this.#direction = direction;
	}

	/** `path` holds the schemas being read: meeting one again ends the type there. */
	type(schema: unknown, path: readonly unknown[]): Type {
		if (schema === false) return NEVER;
		if (!isObject(schema) || !this.#mayRead(schema, path)) return UNKNOWN;
		const deeper = [...path, schema];
		const type = intersectTypes([
			...this.#reference(schema, deeper),
			...this.#literals(schema),
			...this.#combined(schema, deeper),
			...this.#plain(schema, deeper),
		]);
		return schema.nullable === true ? joinTypes([type, { texts: ["null"] }]) : type;
	}

	needsFields(schema: unknown, path: readonly unknown[]): boolean {
		if (!isObject(schema) || !this.#mayRead(schema, path)) return false;
		if (listNeededNames(schema).length > 0) return true;
		const needs = (part: unknown): boolean => this.needsFields(part, [...path, schema]);
		const parts = [this.#target(schema), ...listIn(schema, "allOf")];
		const choices = [listIn(schema, "anyOf"), listIn(schema, "oneOf")];
		return parts.some(needs) || choices.some((among) => among.length > 0 && among.every(needs));
	}

	#mayRead(schema: JsonObject, path: readonly unknown[]): boolean {
		this.#nodes -= 1;
		return this.#nodes >= 0 && path.length <= MAX_DEPTH && !path.includes(schema);
	}

	#target({ $ref }: JsonObject): unknown {
		return typeof $ref === "string" ? resolveLocalReference(this.#root, $ref) : undefined;
	}

	#reference(schema: JsonObject, path: readonly unknown[]): Type[] {
		if (!("$ref" in schema)) return [];
		const target = this.#target(schema);
		return [path.includes(target) ? recursiveType(String(schema.$ref)) : this.type(target, path)];
	}

	#literals(schema: JsonObject): Type[] {
		const values = "const" in schema ? [schema.const] : listIn(schema, "enum");
		return values.length === 0 ? [] : [joinTypes(values.map(values.length > MAX_LITERALS ? kindType : literalType))];
	}

	#combined(schema: JsonObject, path: readonly unknown[]): Type[] {
		const types = (key: string): Type[] => listIn(schema, key).map((part) => this.type(part, path));
		const choices = [types("anyOf"), types("oneOf")].filter((among) => among.length > 0);
		return [...choices.map(joinTypes), ...types("allOf")];
	}

	#plain(schema: JsonObject, path: readonly unknown[]): Type[] {
		if ("enum" in schema || "const" in schema) return [];
		const names = Array.isArray(schema.type) ? schema.type : [schema.type ?? impliedType(schema)];
		return [joinTypes(names.map((name) => this.#named(name, schema, path)))];
	}

	#named(name: unknown, schema: JsonObject, path: readonly unknown[]): Type {
		switch (name) {
			case "string":
			case "number":
			case "boolean":
			case "null":
				return { texts: [name] };
			case "integer":
				return { texts: ["number"] };
			case "array":
				return this.#array(schema, path);
			case "object":
				return this.#object(schema, path);
			default:
				return UNKNOWN;
		}
	}

	/** Until draft 2019-09, `items` listed a tuple, and `additionalItems` described the items after it. */
	#array({ items, prefixItems, additionalItems }: JsonObject, path: readonly unknown[]): Type {
		const [heads, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
		const following = createListType(this.type(rest ?? true, path));
		if (!Array.isArray(heads)) return following;
		const parts = heads.map((item) => writeType(this.type(item, path)));
		return { texts: [`[${[...parts, ...(rest === false ? [] : [`...${writeType(following)}`])].join(", ")}]`] };
	}

	#object(schema: JsonObject, path: readonly unknown[]): Type {
		const members = this.#members(schema, path);
		const others = this.#others(schema, path);
		if (members.length > 0) return createObjectType(members, others !== undefined && others.texts.length > 0);
		if (others !== undefined) return record(schema.propertyNames, others);
		return this.#direction === "given" && isObject(schema.properties) ? createObjectType([], false) : ANY_OBJECT;
	}

	#members(schema: JsonObject, path: readonly unknown[]): Member[] {
		const properties = isObject(schema.properties) ? schema.properties : {};
		const needed = new Set(this.#direction === "given" ? listNeededNames(schema) : listIn(schema, "required"));
		const undeclared = [...needed].filter((name) => typeof name === "string" && !Object.hasOwn(properties, name));
		return [
			...Object.entries(properties).map(([name, property]) => ({
				...{ name, optional: !needed.has(name), type: this.type(property, path), note: this.#note(property) },
			})),
			...undeclared.map((name) => ({ name: String(name), optional: false, type: UNKNOWN, note: "" })),
		];
	}

	/** The type of undeclared fields; undefined if the schema does not mention them. */
	#others(schema: JsonObject, path: readonly unknown[]): Type | undefined {
		const { patternProperties, additionalProperties = schema.unevaluatedProperties } = schema;
		const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
		const rest = additionalProperties === undefined || additionalProperties === false ? [] : [additionalProperties];
		if (patterns.length + rest.length > 0)
			return joinTypes([...patterns, ...rest].map((other) => this.type(other, path)));
		return additionalProperties === false ? NEVER : undefined;
	}

	#note(property: unknown): string {
		if (!isObject(property)) return "";
		const target = this.#target(property);
		const note = describeConstraints(isObject(target) ? { ...target, ...property } : property);
		this.#noteChars -= note.length;
		return this.#noteChars < 0 ? "" : note;
	}
}

/** Stands for a recursive reference: the type is being written out around this place, so its name is enough. */
function recursiveType(reference: string): Type {
	// Only the end of the reference is searched, as the expression is tried from every letter.
	const [name = ""] = /[\w.-]*$/.exec(reference.slice(-MAX_NAME)) ?? [];
	return { texts: [`unknown /* ${name || "the whole"} again */`] };
}

function listIn(schema: JsonObject, key: string): readonly unknown[] {
	const value = schema[key];
	return Array.isArray(value) ? value : [];
}

function impliedType(schema: JsonObject): string | undefined {
	if (isObject(schema.properties) || Array.isArray(schema.required)) return "object";
	return "items" in schema || "prefixItems" in schema ? "array" : undefined;
}

function literalType(value: unknown): Type {
	if (typeof value === "string") return { texts: [writeLiteral(value)] };
	return value === null || typeof value === "boolean" || Number.isFinite(value) ? { texts: [String(value)] } : UNKNOWN;
}

function kindType(value: unknown): Type {
	const kind = readKind(value);
	return ["string", "number", "boolean", "null"].includes(kind) ? { texts: [kind] } : UNKNOWN;
}

/** When the key names are enumerated, none of them is required. */
function record(names: unknown, value: Type): Type {
	const keys = isObject(names) ? listIn(names, "enum").filter((name) => typeof name === "string") : [];
	if (keys.length === 0 || keys.length > MAX_LITERALS) return { texts: [`Record<string, ${writeType(value)}>`] };
	return { texts: [`Partial<Record<${writeType(joinTypes(keys.map(literalType)))}, ${writeType(value)}>>`] };
}
