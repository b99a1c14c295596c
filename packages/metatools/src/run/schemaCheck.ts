import { Ajv, type ErrorObject as AjvError, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject, type JsonObject, kindOf, shown } from "../contract/json.ts";
import { safePattern } from "./safePattern.ts";

const MAX_SCHEMA_CHARS = 200_000;
const MAX_PROBLEMS = 5;

/** What is wrong with a value, each line naming the place, what was expected and what came; empty when nothing is. */
export type Check = (value: unknown, root: string) => readonly string[];

const ACCEPT_ALL: Check = () => [];
const options: Options = {
	strict: false,
	allErrors: false,
	verbose: true,
	validateSchema: false,
	validateFormats: false,
	addUsedSchema: false,
	logger: false,
	// Ajv asks a pattern engine for its source text, which only stand-alone code needs.
	code: { regExp: Object.assign(safePattern, { code: "safePattern" }) },
};
const engines = {
	draft7: lazy(() => new Ajv(options)),
	2019: lazy(() => new Ajv2019(options)),
	2020: lazy(() => new Ajv2020(options)),
};
const compiled = new WeakMap<JsonObject, Check>();

/** The check a schema stands for. A schema nobody can use (cyclic, remote, broken, huge) checks nothing. */
export function checkOf(schema: unknown): Check {
	if (!isObject(schema)) return ACCEPT_ALL;
	const known = compiled.get(schema);
	if (known !== undefined) return known;
	const check = compile(schema);
	compiled.set(schema, check);
	return check;
}

function compile(schema: JsonObject): Check {
	let validate: ValidateFunction;
	try {
		if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS) return ACCEPT_ALL;
		validate = engineFor(schema).compile(schema);
	} catch {
		return ACCEPT_ALL;
	}
	return (value, root) => {
		try {
			return validate(value) === true
				? []
				: (validate.errors ?? []).slice(0, MAX_PROBLEMS).map((error) => sentence(error, root));
		} catch {
			// A schema that refers to itself without end overflows the stack; the tool's own server has the last word.
			return [];
		}
	};
}

function engineFor(schema: JsonObject): Ajv {
	const dialect = typeof schema.$schema === "string" ? schema.$schema : "";
	if (dialect.includes("draft-07") || dialect.includes("draft-06")) return engines.draft7();
	return dialect.includes("2019-09") ? engines[2019]() : engines[2020]();
}

function sentence(error: AjvError, root: string): string {
	const place = `${root}${error.instancePath}`;
	const parameters: Record<string, unknown> = error.params;
	const got = shown(error.data);
	switch (error.keyword) {
		case "required":
			return `${place}/${String(parameters.missingProperty)}: expected a value, got none`;
		case "additionalProperties":
		case "unevaluatedProperties":
			return `${place}/${String(parameters.additionalProperty ?? parameters.unevaluatedProperty)}: expected no such field, got one${others(error.parentSchema)}`;
		case "type":
			return `${place}: expected ${[parameters.type].flat().join(" or ")}, got ${kindOf(error.data)} ${got}`;
		case "enum":
			return `${place}: expected one of ${shown(parameters.allowedValues)}, got ${got}`;
		default:
			return `${place}: ${error.message ?? "expected another value"}, got ${got}`;
	}
}

const MOST_NAMED_CHARS = 600;

/** The fields there are: who has mistaken one for another can say it right at once. */
function others(schema: unknown): string {
	const names = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties).join(", ") : "";
	return names === "" || names.length > MOST_NAMED_CHARS ? "" : `; there are ${names}`;
}

function lazy<T>(make: () => T): () => T {
	let made: T | undefined;
	return () => {
		made ??= make();
		return made;
	};
}
