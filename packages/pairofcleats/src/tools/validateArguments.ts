import { resolve } from "node:path";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { normalizeLocation, normalizeMessage } from "libmcp";
import { suggestion } from "libmcp/command";
import { CleatsError, invalidField, toCleatsError } from "../contract/errors.ts";
import { isObject } from "../contract/isObject.ts";
import { SEARCH_ARGUMENTS, type SearchArgument } from "../query/arguments.ts";
import { type ToolArgumentsOf, type ToolName, toolOf } from "../registry/registry.ts";
import type { JsonSchema } from "../registry/tool.ts";

/** One thing wrong with the arguments, in the form Ajv gives. */
export type Violation = {
	readonly instancePath: string;
	readonly keyword: string;
	readonly message: string;
	readonly params?: unknown;
};

/** Returns the arguments, with local paths, if they match the tool's schema; else throws INVALID_REQUEST with every violation. */
export function validateArguments<Name extends ToolName>(name: Name, value: unknown): ToolArgumentsOf<Name> {
	const args = value ?? {};
	if (!isObject(args)) {
		const violation = { instancePath: "", keyword: "type", message: "must be object" };
		throw invalidArguments(invalidField("arguments", "an object", args).message, [violation]);
	}
	const validate = validatorOf(name);
	if (!validate(args)) {
		const errors = validate.errors ?? [];
		throw invalidArguments(errors.slice(0, MOST_SAID).map(describeViolation).join("; "), violationsOf(errors));
	}
	try {
		toolOf(name).check?.(args);
		return resolveLocalPaths(args);
	} catch (thrown) {
		const { code, message, details } = toCleatsError(thrown);
		if (code !== "INVALID_REQUEST") throw thrown;
		const field = typeof details.field === "string" ? `/${details.field.replaceAll(".", "/")}` : "";
		throw invalidArguments(message, [{ instancePath: field, keyword: "check", message }]);
	}
}

function invalidArguments(message: string, violations: readonly Violation[]): CleatsError {
	return new CleatsError("INVALID_REQUEST", message.slice(0, LONGEST_MESSAGE), { violations });
}

const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false, strictNumbers: true, validateFormats: false });
const validators: { [Name in ToolName]?: ValidateFunction<ToolArgumentsOf<Name>> } = {};

/** Compiled when a tool is first called: most sessions use a few of them. */
function validatorOf<Name extends ToolName>(name: Name): ValidateFunction<ToolArgumentsOf<Name>> {
	const known = validators[name];
	if (known !== undefined) return known;
	const validator = ajv.compile<ToolArgumentsOf<Name>>(toolOf(name).inputSchema);
	Object.assign(validators, { [name]: validator });
	return validator;
}

function violationsOf(errors: readonly ErrorObject[]): Violation[] {
	return errors.slice(0, MOST_VIOLATIONS).map(({ instancePath, keyword, message, params }) => ({
		instancePath: instancePath.slice(0, LONGEST_PATH),
		keyword,
		message: says(keyword, message ?? "is not valid", params),
		params,
	}));
}

const MOST_VIOLATIONS = 100;
/** Unknown arguments named in an error; each is compared with every known name. */
const MOST_SAID = 10;
const LONGEST_PATH = 200;
const LONGEST_REASON = 200;
const LONGEST_MESSAGE = 500;

/**
 * Completes Ajv's messages, which do not name an unknown property or the allowed choices, and say that reserved
 * properties "must NOT be valid".
 */
function says(keyword: string, message: string, params: Readonly<Record<string, unknown>>): string {
	if (keyword === "additionalProperties")
		return `${message}: ${JSON.stringify(params.additionalProperty)}`.slice(0, LONGEST_REASON);
	if (keyword === "enum" && Array.isArray(params.allowedValues))
		return `must be one of ${params.allowedValues.join(", ")}`.slice(0, LONGEST_REASON);
	return keyword === "not" ? "is reserved and may not be set" : message;
}

/** Words a schema violation like every other error: the field, what was expected, what came. Ajv must be verbose. */
export function describeViolation({
	instancePath,
	keyword,
	message,
	params,
	data,
	parentSchema = {},
}: ErrorObject): string {
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

/** The arguments that name files or folders, whatever the tool. */
const PATHS = ["repoPath", "path", "inputPath", "outPath"] as const;

/** Replaces `file://` URIs, by which clients name their roots, with the paths they stand for. */
export function resolveLocalPaths<Args extends object>(args: Args): Args {
	const given = Object.entries(args).filter(([name]) => PATHS.some((path) => path === name));
	const local = given.map(([name, value]) => [
		name,
		Array.isArray(value) ? value.map(localAt(name)) : localAt(name)(value),
	]);
	return local.length === 0 ? args : { ...args, ...Object.fromEntries(local) };
}

function localAt(field: string): (value: unknown) => unknown {
	return (value) => {
		// Other paths stay as they are: a name may hold what a URI may not.
		if (typeof value !== "string" || !/^file:\/\//i.test(value)) return value;
		const found = normalizeLocation(field, value);
		if (!found.ok) throw new CleatsError("INVALID_REQUEST", normalizeMessage(found.error), { field });
		return resolve(found.value);
	};
}
