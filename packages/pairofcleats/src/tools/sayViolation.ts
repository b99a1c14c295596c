import type { ErrorObject } from "ajv/dist/2020.js";
import { suggestion } from "libmcp/command";
import { invalidField } from "../contract/errors.ts";
import { SEARCH_ARGUMENTS, type SearchArgument } from "../query/arguments.ts";
import type { JsonSchema } from "../registry/tool.ts";

/** Words a schema violation like every other error: the field, what was expected, what came. Ajv must be verbose. */
export function sayViolation({ instancePath, keyword, message, params, data, parentSchema = {} }: ErrorObject): string {
	const field = instancePath.slice(1, 1 + LONGEST_FIELD).replaceAll("/", ".");
	switch (keyword) {
		case "additionalProperties": {
			const name = String(params.additionalProperty).slice(0, LONGEST_FIELD);
			return `${name}: no such argument${suggestion(name, Object.keys(parentSchema.properties ?? {}))}`;
		}
		case "required": {
			const { [params.missingProperty]: schema = {} } = Object(parentSchema.properties);
			return invalidField(params.missingProperty, expected(schema), undefined).message;
		}
		case "type":
		case "enum":
			return invalidField(field, expectedOf(field) ?? expected(parentSchema), data).message;
		case "minimum":
			return invalidField(field, `a number from ${params.limit}`, data).message;
		case "minLength":
			return invalidField(field, "a non-empty string", data).message;
		case "not":
			return invalidField(field, "nothing, as it is reserved", data).message;
		default:
			return `${field}: ${message}`;
	}
}

const LONGEST_FIELD = 80;

function expectedOf(field: string): string | undefined {
	return Object.entries<SearchArgument>(SEARCH_ARGUMENTS).find(([name]) => name === field)?.[1].expects;
}

function expected({ enum: choices, type, minLength }: JsonSchema): string {
	if (Array.isArray(choices)) return `one of ${choices.join(", ")}`;
	if (type === "string" && minLength === 1) return "a non-empty string";
	return [type]
		.flat()
		.map((name) => TYPES[String(name)] ?? "a value")
		.join(" or ");
}

const TYPES: Readonly<Record<string, string>> = {
	string: "a string",
	integer: "a whole number",
	number: "a number",
	boolean: "true or false",
	object: "an object",
	array: "an array",
	null: "null",
};
