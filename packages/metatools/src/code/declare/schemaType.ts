import { isObject, type JsonObject } from "../../contract/json.ts";
import { literal, propertyName } from "./names.ts";

const MAX_DEPTH = 12;
/** Bounds references that fan out: a short schema can describe a type of any size. */
const MAX_NODES = 1_000;
const MAX_LITERALS = 50;

/** The TypeScript type a JSON Schema describes, as text; where it cannot be told, or grows without end, `unknown`. */
export function schemaType(schema: unknown): string {
	const budget = { nodes: MAX_NODES };
	return new SchemaReader(schema, budget).type(schema, []);
}

class SchemaReader {
	readonly #root: unknown;
	readonly #budget: { nodes: number };

	constructor(root: unknown, budget: { nodes: number }) {
		this.#root = root;
		this.#budget = budget;
	}

	/** `path` holds the references being followed: meeting one again ends the type there. */
	type(schema: unknown, path: readonly unknown[]): string {
		this.#budget.nodes -= 1;
		if (schema === false) return "never";
		if (!isObject(schema) || this.#budget.nodes < 0 || path.length > MAX_DEPTH) return "unknown";
		const deeper = [...path, schema];
		if (path.includes(schema)) return "unknown";
		const parts = [
			...this.#reference(schema, deeper),
			...this.#literals(schema),
			...this.#combined(schema, deeper),
			...this.#plain(schema, deeper),
		];
		const known = [...new Set(parts.filter((part) => part !== "unknown"))];
		const type = known.length > 1 ? known.map(grouped).join(" & ") : (known[0] ?? "unknown");
		return schema.nullable === true && type !== "unknown" ? `${grouped(type)} | null` : type;
	}

	#reference(schema: JsonObject, path: readonly unknown[]): string[] {
		if (typeof schema.$ref !== "string") return [];
		const target = pointed(this.#root, schema.$ref);
		return [target === undefined ? "unknown" : this.type(target, path)];
	}

	#literals(schema: JsonObject): string[] {
		const values = "const" in schema ? [schema.const] : schema.enum;
		if (!Array.isArray(values) || values.length === 0 || values.length > MAX_LITERALS) return [];
		return [union(values.map(literalType))];
	}

	#combined(schema: JsonObject, path: readonly unknown[]): string[] {
		const parts: string[] = [];
		for (const key of ["anyOf", "oneOf"] as const) {
			const choices = schema[key];
			if (Array.isArray(choices)) parts.push(union(choices.map((choice) => this.type(choice, path))));
		}
		if (Array.isArray(schema.allOf)) parts.push(...schema.allOf.map((part) => this.type(part, path)));
		return parts;
	}

	#plain(schema: JsonObject, path: readonly unknown[]): string[] {
		if ("enum" in schema || "const" in schema) return [];
		const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? impliedType(schema)];
		return [union(types.map((type) => this.#named(type, schema, path)))];
	}

	#named(type: unknown, schema: JsonObject, path: readonly unknown[]): string {
		switch (type) {
			case "string":
			case "number":
			case "boolean":
			case "null":
				return type;
			case "integer":
				return "number";
			case "array":
				return this.#array(schema, path);
			case "object":
				return this.#object(schema, path);
			default:
				return "unknown";
		}
	}

	#array(schema: JsonObject, path: readonly unknown[]): string {
		const { items, prefixItems } = schema;
		if (Array.isArray(prefixItems)) {
			const heads = prefixItems.map((item) => this.type(item, path));
			const rest = items === false ? [] : [`...${grouped(this.type(items ?? true, path))}[]`];
			return `[${[...heads, ...rest].join(", ")}]`;
		}
		return `${grouped(this.type(items ?? true, path))}[]`;
	}

	#object(schema: JsonObject, path: readonly unknown[]): string {
		const { properties, additionalProperties, required } = schema;
		const needed = new Set(Array.isArray(required) ? required : []);
		const members = Object.entries(isObject(properties) ? properties : {}).map(
			([name, type]) => `${propertyName(name)}${needed.has(name) ? "" : "?"}: ${this.type(type, path)}`,
		);
		if (members.length > 0) {
			const open = additionalProperties === true || isObject(additionalProperties);
			return `{ ${[...members, ...(open ? ["[key: string]: unknown"] : [])].join("; ")} }`;
		}
		if (additionalProperties === false) return "Record<string, never>";
		return `Record<string, ${this.type(additionalProperties ?? true, path)}>`;
	}
}

function impliedType(schema: JsonObject): string | undefined {
	if (isObject(schema.properties)) return "object";
	return "items" in schema || "prefixItems" in schema ? "array" : undefined;
}

function literalType(value: unknown): string {
	if (typeof value === "string") return literal(value);
	if (value === null || typeof value === "boolean" || Number.isFinite(value)) return String(value);
	return "unknown";
}

/** A union with `unknown` in it says nothing. */
function union(types: readonly string[]): string {
	const distinct = [...new Set(types)];
	if (distinct.includes("unknown")) return "unknown";
	return distinct.length > 1 ? distinct.map(grouped).join(" | ") : (distinct[0] ?? "unknown");
}

/** Types joined by `|` or `&` keep their meaning inside others only in parentheses. */
function grouped(type: string): string {
	return /[|&]/.test(type) ? `(${type})` : type;
}

/** What a local reference points at; anything elsewhere is not fetched. */
function pointed(root: unknown, reference: string): unknown {
	if (reference === "#") return root;
	if (!reference.startsWith("#/")) return undefined;
	let at: unknown = root;
	for (const part of reference.slice(2).split("/")) {
		const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
		if (Array.isArray(at)) at = at[Number(key)];
		else if (isObject(at) && Object.hasOwn(at, key)) at = at[key];
		else return undefined;
	}
	return at;
}
