import { RpcError } from "libmcp";
import { isObject, type JsonObject, shown } from "../contract/json.ts";
import { checkOf } from "../run/schemaCheck.ts";
import { taken } from "../run/taken.ts";
import { MAX_LIMIT } from "./schemas.ts";

const CAPPED: Readonly<Record<string, number>> = { limit: MAX_LIMIT, max: 5, examples_max: 5 };

/** The arguments of a metatool call, checked; what cannot be understood is a protocol error that names the field. */
export function readArguments(schema: JsonObject, raw: unknown): JsonObject {
	if (raw !== undefined && !isObject(raw)) throw invalidArguments([`arguments: expected an object, got ${shown(raw)}`]);
	const args = Object.fromEntries(Object.entries(raw ?? {}).map(([key, value]) => [key, capped(key, value, schema)]));
	const problems = checkOf(schema)(args, "arguments");
	if (problems.length > 0) throw invalidArguments(problems, taken(schema, args));
	return args;
}

export function invalidArguments(problems: readonly string[], hints: readonly string[] = []): RpcError {
	const field = /^arguments\/([^/:]+)/.exec(problems[0] ?? "")?.[1];
	return new RpcError(-32602, [...problems, ...hints].join("; "), {
		code: "INVALID_ARGUMENTS",
		details: { ...(field !== undefined && { field }), problems },
	});
}

// Only page sizes are clamped instead of refused.
function capped(key: string, value: unknown, schema: JsonObject): unknown {
	const cap = CAPPED[key];
	const known = isObject(schema.properties) && Object.hasOwn(schema.properties, key);
	return known && cap !== undefined && typeof value === "number" && value > cap ? cap : value;
}
