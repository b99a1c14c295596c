import { RPC_CODES, RpcError } from "libmcp";
import { isExactNumber, parseExact } from "../../contract/exactJson.ts";
import { isObject, type JsonObject, readKind } from "../../contract/json.ts";
import type { Problem } from "../../run/schema/problem.ts";
import { describeProblem, hintAtArguments } from "../../run/schema/problemText.ts";
import { compileCheck } from "../../run/schema/schemaCheck.ts";
import { MAX_LIMIT } from "./schemas.ts";

const CAPPED: Readonly<Record<string, number>> = { limit: MAX_LIMIT, max: 5, examples_max: 5 };

/** Reads and checks the arguments of a metatool call; a mistake is a protocol error that names the field. */
export function readArguments(schema: JsonObject, raw: unknown): JsonObject {
	if (raw !== undefined && !isObject(raw))
		throw createArgumentError([{ kind: "other", at: [], says: "expected an object", got: raw }]);
	const args = Object.fromEntries(
		Object.entries(raw ?? {}).map(([key, value]) => [key, readValue(value, key, schema)]),
	);
	const problems = compileCheck(schema)(args);
	if (problems.length === 0) return args;
	const told = hintAtArguments(
		schema,
		args,
		problems.map((problem) => withMeant(problem, args, schema)),
	);
	throw createArgumentError(told.problems, told.hints);
}

/** Other words for an argument, which answers and other protocols use. */
const MEANT: ReadonlyMap<string, string> = new Map([
	["namespace", "backend_name"],
	["name", "tool_id"],
	["tool", "tool_id"],
	["tool_name", "tool_id"],
	["arguments", "args"],
]);

function withMeant(problem: Problem, args: JsonObject, { properties }: JsonObject): Problem {
	if (problem.kind !== "unknown" || problem.at.length !== 1) return problem;
	const meant = MEANT.get(problem.at[0] ?? "");
	const isFree =
		meant !== undefined && isObject(properties) && Object.hasOwn(properties, meant) && !Object.hasOwn(args, meant);
	return isFree ? { ...problem, meant, known: [] } : problem;
}

export function createArgumentError(problems: readonly Problem[], hints: readonly string[] = []): RpcError {
	const field = problems[0]?.at[0];
	const texts = problems.map((problem) => describeProblem(problem, "arguments"));
	return new RpcError(RPC_CODES.invalidParams, [...texts, ...hints].join("; "), {
		code: "INVALID_ARGUMENTS",
		details: { ...(field !== undefined && { field }), problems: texts },
	});
}

/** Clamps page sizes instead of refusing them, and accepts objects and lists as JSON text, as many models send them. */
function readValue(value: unknown, key: string, schema: JsonObject): unknown {
	const property = isObject(schema.properties) && Object.hasOwn(schema.properties, key) ? schema.properties[key] : {};
	if (isExactNumber(value)) return readValue(Number(value.rawJSON), key, schema);
	const cap = CAPPED[key];
	if (typeof value === "number" && cap !== undefined) return Math.min(value, cap);
	return typeof value === "string" && isObject(property) ? fromText(value, property.type) : value;
}

function fromText(text: string, type: unknown): unknown {
	try {
		const value: unknown = type === "object" || type === "array" ? parseExact(text) : text;
		return readKind(value) === type ? value : text;
	} catch {
		// No JSON after all: it stays the text that came.
		return text;
	}
}
