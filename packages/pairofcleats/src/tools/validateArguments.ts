import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { CleatsError, invalidField, toCleatsError } from "../contract/errors.ts";
import { isObject } from "../contract/isObject.ts";
import { type ToolName, toolOf } from "../registry/registry.ts";
import type { ToolArgumentsOf } from "../registry/toolTypes.ts";
import { localPaths } from "./localPaths.ts";
import { sayViolation } from "./sayViolation.ts";

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
		throw invalidArguments(errors.slice(0, MOST_SAID).map(sayViolation).join("; "), violationsOf(errors));
	}
	try {
		toolOf(name).check?.(args);
		return localPaths(args);
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
