import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import type * as Jsonc from "jsonc-parser";
import type * as Yaml from "yaml";
import { isObject, type JsonObject, showValue } from "../contract/json.ts";
import type { Problem } from "../run/schema/problem.ts";
import { describeProblemAt } from "../run/schema/problemText.ts";
import { compileCheck } from "../run/schema/schemaCheck.ts";
import { createFileSchema, DURATION_PATTERN } from "./fileSchema.ts";
import { describeExpected } from "./kinds.ts";

/** Told of each mistake. It throws unless the caller wants to read on, with a default in the place of what is wrong. */
export type Refuse = (message: string) => void;

export const refuseAtOnce: Refuse = (message) => {
	throw new Error(message);
};

// One object, so that the validator is compiled once.
const FILE_SCHEMA = createFileSchema();

/** A server's entry as written in the file, with the schema's objection to it, if any. */
export type ServerEntry = { readonly name: string; readonly entry: unknown; readonly problem: string | undefined };

type ConfigFile = {
	/** All but the servers: validated, with variables expanded. */
	readonly file: JsonObject;
	readonly servers: readonly ServerEntry[];
};

/** Reads our own configuration file. A mistake in a server's entry does not make the whole file invalid. */
export function readConfigFile(
	path: string,
	environment: Readonly<Record<string, string | undefined>>,
	refuse: Refuse = refuseAtOnce,
): ConfigFile {
	try {
		const { value: raw, repeated } = parseFile(path);
		const problems = [...repeated.map(givenTwice), ...compileCheck(FILE_SCHEMA)(raw)];
		const { own = [], ofServers = [] } = Object.groupBy(problems, ({ at }) =>
			at[0] === "mcpServers" && at.length > 1 ? "ofServers" : "own",
		);
		if (own.length > 0) refuse(`${path}: ${textOf(own)}`);
		const { mcpServers, ...rest } = raw;
		const servers = Object.entries(readSection(mcpServers)).map(([name, entry]) => {
			const against = ofServers.filter(({ at }) => at[1] === name);
			return { name, entry, problem: against.length === 0 ? undefined : textOf(against) };
		});
		return { file: readSection(expandVariables(rest, environment, "")), servers };
	} catch (thrown) {
		const reason = reasonOf(thrown);
		throw new Error(reason.startsWith(`${path}: `) ? reason : `${path}: ${reason}`, { cause: thrown });
	}
}

/** A repeated member is an error: parsers silently keep the last one, which may not be the one that was meant. */
function givenTwice(at: readonly string[]): Problem {
	return { at, kind: "other", says: "expected once, got it twice" };
}

function textOf(problems: readonly Problem[]): string {
	return problems.map((problem) => describeProblemAt(worded(withoutSecret(problem)), problem.at.join("."))).join("; ");
}

/** What is wrong with an entry is shown to models, too, who must not read its tokens. */
function withoutSecret(problem: Problem): Problem {
	const [part, , field = ""] = problem.at;
	const mayHoldSecrets = part === "auth" || (part === "mcpServers" && !PUBLIC_FIELDS.has(field));
	return mayHoldSecrets ? { ...problem, isSecret: true } : problem;
}

/** Fields of a server that hold no secret. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set([
	"type",
	"description",
	"protocol",
	"elicitation",
	"execution_timeout",
	"execution_total_timeout",
	"include",
	"exclude",
	"disabled",
	"enabled",
]);

/** A duration is the only text that the schema of the file describes by a pattern. */
function worded(problem: Problem): Problem {
	if (problem.kind !== "pattern" || problem.pattern !== DURATION_PATTERN) return problem;
	const { at, got } = problem;
	return { at, kind: "other", says: `expected ${describeExpected({ type: "duration" }, got)}`, got };
}

type ParsedFile = {
	readonly value: JsonObject;
	/** Paths of members that occur more than once; `value` has the last of each. */
	readonly repeated: readonly (readonly string[])[];
};

/** JSON or YAML, by the name of the file. */
export function parseFile(path: string): ParsedFile {
	// Some editors begin a file with a byte order mark.
	const bytes = readFileSync(path);
	if (!isUtf8(bytes)) throw new Error("expected UTF-8, got other bytes");
	const text = bytes.toString().replace(/^\uFEFF/, "");
	const isJson = [".json", ".jsonc"].includes(extname(path));
	const value: unknown = isJson ? parseWrittenJson(text) : yaml().parse(text, { maxAliasCount: 100 });
	if (!isObject(value ?? {})) throw new Error(`expected an object, got ${showValue(value)}`);
	return { value: readSection(value), repeated: isJson ? findRepeatedMembers(text, value) : [] };
}

/** The reason in one line: YAML errors quote the source below, and system errors repeat the path. */
export function reasonOf(thrown: unknown): string {
	if (!(thrown instanceof Error)) return "unreadable";
	const [line = ""] = thrown.message.split("\n");
	return line.replace(/^(E[A-Z]+): (.+?), \w+(?: '.*')?$/, "$2 ($1)").replace(/:$/, "");
}

// Loaded only for YAML files, because it would slow down every other start.
function yaml(): typeof Yaml {
	return createRequire(import.meta.url)("yaml");
}

/** An optional section of a file; empty when missing. */
export function readSection(value: unknown): JsonObject {
	return isObject(value) ? value : {};
}

/**
 * Replaces `${VAR}`, `${env:VAR}` and `${VAR:-default}` in every text of a configuration; `$$` is one dollar sign.
 * A variable that is not set is an error naming the place. Those that are set are added to `used`.
 */
export function expandVariables(
	value: unknown,
	environment: Readonly<Record<string, string | undefined>>,
	place: string,
	used: Map<string, string> = new Map(),
): unknown {
	if (typeof value === "string") return expandText(value, environment, place, used);
	if (Array.isArray(value))
		return value.map((item, index) => expandVariables(item, environment, `${place}.${index}`, used));
	if (!isObject(value)) return value;
	const join = (key: string) => (place === "" ? key : `${place}.${key}`);
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [key, expandVariables(inner, environment, join(key), used)]),
	);
}

function expandText(
	text: string,
	environment: Readonly<Record<string, string | undefined>>,
	place: string,
	used: Map<string, string>,
): string {
	return text.replace(/\$\$|\$\{([^}]*)\}/g, (whole, inner: string | undefined) => {
		if (inner === undefined) return whole === "$$" ? "$" : whole;
		const match = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner);
		if (match === null) throw new Error(`${place}: expected \${NAME}, got ${whole}`);
		const [, name = "", fallback] = match;
		const value = environment[name];
		if (value !== undefined) used.set(name, value);
		const found = value ?? fallback;
		if (found === undefined) throw new Error(`${place}: expected the environment variable ${name} to be set`);
		return found;
	});
}

/** Paths of members that occur more than once in a JSON text. `value` is the parsed text, which has only the last of each. */
function findRepeatedMembers(text: string, value: unknown): readonly (readonly string[])[] {
	// Each member has one colon, so more colons than members means that some were dropped.
	const colons = text.replace(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;
	return colons === memberCount(value) ? [] : repeatedIn(jsonc().parseTree(text, [], { allowTrailingComma: true }), []);
}

function memberCount(value: unknown): number {
	if (typeof value !== "object" || value === null) return 0;
	const inner = Object.values(value);
	return inner.reduce((sum: number, item) => sum + memberCount(item), isObject(value) ? inner.length : 0);
}

function repeatedIn(node: Jsonc.Node | undefined, path: readonly string[]): readonly (readonly string[])[] {
	const children = node?.children ?? [];
	if (node?.type === "array") return children.flatMap((item, index) => repeatedIn(item, [...path, String(index)]));
	if (node?.type !== "object") return [];
	const paths = children.map(({ children: [key] = [] }) => [...path, String(key?.value)]);
	const seen = new Set<string | undefined>();
	const repeated = paths.filter((member) => seen.has(member.at(-1)) || !seen.add(member.at(-1)));
	return [...repeated, ...children.flatMap((member, index) => repeatedIn(member.children?.[1], paths[index] ?? path))];
}

/** Parses JSON with comments and trailing commas; throws an error that names the place of a mistake. */
function parseWrittenJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// It may have comments, which JSON has not.
		return parseWithComments(text);
	}
}

function parseWithComments(text: string): unknown {
	const { parse, printParseErrorCode } = jsonc();
	const errors: Jsonc.ParseError[] = [];
	const value: unknown = parse(text, errors, { allowTrailingComma: true });
	const [first] = errors;
	if (first === undefined) return value;
	const before = text.slice(0, first.offset).split("\n");
	// Turns codes such as `CommaExpected` into words.
	const what = printParseErrorCode(first.error)
		.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
		.trim();
	throw new Error(`line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: not valid JSON (${what})`);
}

/** Loaded only for files that are not plain JSON, because it would slow down every other start. */
function jsonc(): typeof Jsonc {
	return createRequire(import.meta.url)("jsonc-parser");
}
