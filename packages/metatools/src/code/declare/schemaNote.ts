import { plainLine } from "../../catalog/text.ts";
import { isObject, type JsonObject } from "../../contract/json.ts";
import { uncloseable } from "./names.ts";

const MAX_DESCRIPTION = 200;
const MAX_FACT = 80;

/** What a type cannot say of a value, in the order it is told. */
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

/** What is to be known of a field beside its type: its description, its limits and its default, as one line. */
export function schemaNote(schema: unknown): string {
	if (!isObject(schema)) return "";
	const own = besidesNull(schema);
	const { description, deprecated, type } = own;
	const facts = FACTS.flatMap((fact) => (tells(fact, own[fact]) ? [`@${fact} ${factText(fact, own[fact])}`] : []));
	const parts = [
		...(typeof description === "string" ? [plainLine(description, MAX_DESCRIPTION)] : []),
		...(deprecated === true ? ["@deprecated"] : []),
		...facts,
	].filter((part) => part !== "");
	// That a number is whole is worth a word, and no line of its own.
	if (parts.length > 0 && [type].flat().includes("integer")) parts.push("@integer");
	return uncloseable(parts.join(" "));
}

/** Generators bound every whole number by what a double holds, and every text and list by nothing. */
function tells(fact: string, value: unknown): boolean {
	if (typeof value !== "number") return value !== undefined;
	if (fact === "default") return true;
	return Math.abs(value) < Number.MAX_SAFE_INTEGER && (value !== 0 || !LENGTHS.includes(fact));
}

function factText(fact: string, value: unknown): string {
	return plainLine(typeof value === "string" && fact !== "default" ? value : JSON.stringify(value), MAX_FACT);
}

/** What may be left out is often declared as something or null: the limits are those of the something. */
function besidesNull(schema: JsonObject): JsonObject {
	const choices = schema.anyOf ?? schema.oneOf;
	if (!Array.isArray(choices) || choices.length !== 2) return schema;
	const [only, ...more] = choices.filter((choice) => !isObject(choice) || choice.type !== "null");
	return isObject(only) && more.length === 0 ? { ...only, ...schema } : schema;
}
