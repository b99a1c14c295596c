import type { ErrorObject as AjvError } from "ajv";
import { countText, resolvePointer } from "libmcp";
import { cut } from "../catalog/text.ts";
import { isObject, type JsonObject, kindOf, shown } from "../contract/json.ts";

const MOST_NAMED_CHARS = 600;
/** With more alternatives than this the one that was meant is not looked for. */
const MOST_BRANCHES = 50;

/**
 * Why a value does not fit a schema: lines that name the place, what was expected and what came. Ajv stops at the first
 * keyword that fails, so its last error is the reason, and those before belong to the branches of that keyword.
 */
export function problemsOf(errors: readonly AjvError[], root: string, schema: JsonObject): readonly string[] {
	const last = errors.at(-1);
	if (last === undefined) return [];
	const inner = errors.slice(0, -1);
	switch (last.keyword) {
		case "anyOf":
		case "oneOf":
			return unionProblems(last, inner, root, schema);
		case "if":
			return inner.length > 0 ? problemsOf(inner, root, schema) : [sentence(last, root, schema)];
		case "propertyNames":
			return problemsOf(inner, `name of a field of ${root}`, schema);
		default:
			return [sentence(last, root, schema)];
	}
}

/** Says what is wrong with the one alternative that was meant, or else which alternatives there are. */
function unionProblems(
	error: AjvError,
	inner: readonly AjvError[],
	root: string,
	schema: JsonObject,
): readonly string[] {
	const place = `${root}${error.instancePath}`;
	const branches: readonly unknown[] = (Array.isArray(error.schema) ? error.schema : []).map((branch: unknown) =>
		resolved(branch, schema),
	);
	const wishes = (some: readonly unknown[], word: string): string =>
		cut([...new Set(some.map((branch) => wish(branch, schema)))].join(` ${word} `), MOST_NAMED_CHARS);
	const passing: unknown = error.params.passingSchemas;
	if (Array.isArray(passing)) {
		const both = branches.filter((_, index) => passing.includes(index));
		return [`${place}: expected only one of ${wishes(both, "and")}, got both: ${shown(error.data)}`];
	}
	const { data } = error;
	const fitting = branches.filter((branch) => isOfType(data, branch, schema));
	const tag = isObject(data) ? tagOf(fitting) : undefined;
	const named =
		tag === undefined || !isObject(data)
			? fitting
			: fitting.filter((branch) => allowedAt(branch, tag)?.includes(data[tag]));
	const whole = named.filter((branch) => hasAll(data, branch));
	const [meant, ...others] = whole.length === 1 ? whole : named;
	if (meant !== undefined && others.length === 0 && branches.length <= MOST_BRANCHES) {
		const its = errorsOf(meant, inner, branches);
		if (its.length > 0) return problemsOf(its, root, schema);
	}
	if (meant === undefined && tag !== undefined && isObject(data)) {
		const allowed = fitting.flatMap((branch) => allowedAt(branch, tag) ?? []);
		return [`${place}/${tag}: expected one of ${shown(allowed)}, got ${shown(data[tag])}`];
	}
	return [`${place}: expected ${wishes(branches, "or")}, got ${kindOf(data)} ${shown(data)}`];
}

/** The errors of one alternative end with one of its own; those of what it refers to come before that. */
function errorsOf(meant: unknown, errors: readonly AjvError[], branches: readonly unknown[]): readonly AjvError[] {
	const end = errors.findLastIndex(({ parentSchema }) => holds(meant, parentSchema));
	const others = branches.filter((branch) => branch !== meant);
	const before = errors
		.slice(0, end + 1)
		.findLastIndex(({ parentSchema }) => others.some((other) => holds(other, parentSchema)));
	return errors.slice(before + 1, end + 1);
}

function holds(schema: unknown, part: unknown): boolean {
	if (schema === part) return true;
	return typeof schema === "object" && schema !== null && Object.values(schema).some((inner) => holds(inner, part));
}

function resolved(schema: unknown, root: JsonObject): unknown {
	const ref = isObject(schema) ? schema.$ref : undefined;
	if (typeof ref !== "string" || !ref.startsWith("#")) return schema;
	return resolvePointer(root, decodeURIComponent(ref.slice(1)));
}

/** Whether a value has every field that an alternative requires, as nobody gives by mistake. */
function hasAll(value: unknown, schema: unknown): boolean {
	if (!isObject(value) || !isObject(schema) || !Array.isArray(schema.required)) return false;
	return schema.required.every((name: unknown) => Object.hasOwn(value, String(name)));
}

/** A field whose value tells the alternatives apart. */
function tagOf(schemas: readonly unknown[]): string | undefined {
	const [first] = schemas;
	const names = isObject(first) && isObject(first.properties) ? Object.keys(first.properties) : [];
	return schemas.length < 2
		? undefined
		: names.find((name) => schemas.every((schema) => allowedAt(schema, name) !== undefined));
}

function allowedAt(schema: unknown, name: string): readonly unknown[] | undefined {
	return isObject(schema) && isObject(schema.properties) ? allowed(schema.properties[name]) : undefined;
}

/** The only values that a schema takes, where it lists them. */
function allowed(schema: unknown): readonly unknown[] | undefined {
	if (!isObject(schema)) return undefined;
	if (Object.hasOwn(schema, "const")) return [schema.const];
	return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function isOfType(value: unknown, schema: unknown, root: JsonObject, depth = 0): boolean {
	if (!isObject(schema)) return true;
	if (allowed(schema) !== undefined) return false;
	const union = unionOf(schema);
	if (union !== undefined && depth < MOST_DEPTH)
		return union.some((inner) => isOfType(value, resolved(inner, root), root, depth + 1));
	const kind = kindOf(value);
	return schema.type === undefined || [schema.type].flat().some((type) => type === kind || TYPES_OF[kind] === type);
}

function unionOf({ anyOf, oneOf }: JsonObject): readonly unknown[] | undefined {
	return [anyOf, oneOf].find(Array.isArray);
}

const TYPES_OF: Readonly<Record<string, string>> = { number: "integer" };
const MOST_DEPTH = 2;

/** What a schema takes, in as few words as tell it from its neighbours. */
function wish(schema: unknown, root: JsonObject, depth = 0): string {
	if (!isObject(schema)) return "a value";
	const values = allowed(schema);
	if (values !== undefined) return values.map(shown).join(" or ");
	const { type, properties, required, items } = schema;
	const union = unionOf(schema);
	if (union !== undefined && depth < MOST_DEPTH)
		return [...new Set(union.map((inner) => wish(resolved(inner, root), root, depth + 1)))].join(" or ");
	if (isObject(properties) || Array.isArray(required)) {
		const names = Array.isArray(required) ? required.map(String) : [];
		const fields = names.map((name) => {
			const only = allowedAt(schema, name);
			return only === undefined ? name : `${name}: ${only.map(shown).join("|")}`;
		});
		return fields.length === 0 ? "object" : `{${fields.join(", ")}}`;
	}
	if (type === "array" && items !== undefined && depth < MOST_DEPTH)
		return `array of ${wish(resolved(items, root), root, depth + 1)}`;
	return type === undefined ? "a value that fits another part of the schema" : [type].flat().join(" or ");
}

function sentence(error: AjvError, root: string, schema: JsonObject): string {
	const place = `${root}${error.instancePath}`;
	const parameters: Record<string, unknown> = error.params;
	const got = shown(error.data);
	switch (error.keyword) {
		case "required":
			return `${place}/${String(parameters.missingProperty)}: expected ${wanted(error.parentSchema, String(parameters.missingProperty))}, got none`;
		case "dependentRequired":
		case "dependencies":
			return `${place}/${String(parameters.missingProperty)}: expected a value, since ${String(parameters.property)} is given, got none`;
		case "additionalProperties":
		case "unevaluatedProperties":
			return `${place}/${String(parameters.additionalProperty ?? parameters.unevaluatedProperty)}: expected no such field, got one${others(error.parentSchema)}`;
		case "false schema":
			return `${place}: expected no such field, got one`;
		case "type":
			return `${place}: expected ${[parameters.type].flat().join(" or ")}, got ${kindOf(error.data)} ${got}`;
		case "enum":
			return `${place}: expected one of ${shown(parameters.allowedValues)}, got ${got}`;
		case "const":
			return `${place}: expected ${shown(parameters.allowedValue)}, got ${got}`;
		case "not":
			return `${place}: expected anything but ${wish(error.schema, schema)}, got ${got}`;
		case "contains":
			return `${place}: expected an item that is ${wish(error.schema, schema)}, got ${got}`;
		case "pattern":
			return `${place}: expected text that matches ${String(parameters.pattern)}, got ${got}`;
		case "multipleOf":
			return `${place}: expected a multiple of ${String(parameters.multipleOf)}, got ${got}`;
		case "uniqueItems":
			return `${place}: expected no item twice, got items ${String(parameters.j)} and ${String(parameters.i)} alike`;
		default: {
			const limit = LIMITS[error.keyword]?.(Number(parameters.limit));
			const says = limit === undefined ? (error.message ?? "expected another value") : `expected ${limit}`;
			return `${place}: ${says}, got ${got}`;
		}
	}
}

const LIMITS: Readonly<Record<string, (limit: number) => string>> = {
	minimum: (limit) => `${limit} or more`,
	maximum: (limit) => `${limit} or less`,
	exclusiveMinimum: (limit) => `more than ${limit}`,
	exclusiveMaximum: (limit) => `less than ${limit}`,
	minItems: (limit) => `at least ${countText(limit, "item")}`,
	maxItems: (limit) => `at most ${countText(limit, "item")}`,
	minLength: (limit) => `at least ${countText(limit, "character")}`,
	maxLength: (limit) => `at most ${countText(limit, "character")}`,
	minProperties: (limit) => `at least ${countText(limit, "field")}`,
	maxProperties: (limit) => `at most ${countText(limit, "field")}`,
};

function wanted(schema: unknown, name: string): string {
	const values = allowedAt(schema, name);
	if (values === undefined) return "a value";
	return values.length === 1 ? shown(values[0]) : `one of ${shown(values)}`;
}

/** Lists the known fields, so that a caller who used a wrong name can correct it at once. */
function others(schema: unknown): string {
	const names = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties).join(", ") : "";
	return names === "" || names.length > MOST_NAMED_CHARS ? "" : `; there are ${names}`;
}
