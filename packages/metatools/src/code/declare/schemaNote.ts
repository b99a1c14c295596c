import { toPlainLine } from "../../catalog/text.ts";
import { isObject, type JsonObject } from "../../contract/json.ts";
import { escapeCommentEnd } from "./typeText.ts";

/** Of the field descriptions of public servers, one in ten exceeds 200 characters, and one in 250 exceeds this. */
const MAX_DESCRIPTION = 1_000;
const MAX_FACT = 80;
/** A type does not list more values than this. */
export const MAX_LITERALS = 50;

/** Constraints that a TypeScript type cannot express, in the order they are printed. */
const FACTS = [
	"format",
	"pattern",
	"minimum",
	"exclusiveMinimum",
	"maximum",
	"exclusiveMaximum",
	"multipleOf",
	"minLength",
	"maxLength",
	"minItems",
	"maxItems",
	"default",
] as const;
const LENGTHS: readonly string[] = ["minLength", "minItems"];

/** A field's description, limits and default as one line. */
export function describeConstraints(schema: unknown): string {
	if (!isObject(schema)) return "";
	const own = besidesNull(schema);
	const { description, deprecated, type } = own;
	const facts = FACTS.flatMap((fact) => (tells(fact, own[fact]) ? [`@${fact} ${factText(fact, own[fact])}`] : []));
	const parts = [
		...(typeof description === "string" ? [toPlainLine(description, MAX_DESCRIPTION)] : []),
		...(deprecated === true ? ["@deprecated"] : []),
		...(Array.isArray(own.enum) && own.enum.length > MAX_LITERALS
			? [`@enum ${own.enum.length} values, listed in the schema`]
			: []),
		...facts,
	].filter((part) => part !== "");
	// `integer` is mentioned only beside other notes; it is not worth a line of its own.
	if (parts.length > 0 && [type].flat().includes("integer")) parts.push("@integer");
	return escapeCommentEnd(parts.join(" "));
}

/** False for the limits that generators add everywhere: the safe-integer range, and a minimum length of 0. */
function tells(fact: string, value: unknown): boolean {
	if (typeof value !== "number") return value !== undefined;
	if (fact === "default") return true;
	return Math.abs(value) < Number.MAX_SAFE_INTEGER && (value !== 0 || !LENGTHS.includes(fact));
}

function factText(fact: string, value: unknown): string {
	return toPlainLine(typeof value === "string" && fact !== "default" ? value : JSON.stringify(value), MAX_FACT);
}

/** Optional fields are often declared as "X or null"; the limits are then those of X. */
function besidesNull(schema: JsonObject): JsonObject {
	const choices = schema.anyOf ?? schema.oneOf;
	if (!Array.isArray(choices) || choices.length !== 2) return schema;
	const [only, ...more] = choices.filter((choice) => !isObject(choice) || choice.type !== "null");
	return isObject(only) && more.length === 0 ? { ...only, ...schema } : schema;
}
