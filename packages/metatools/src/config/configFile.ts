import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import type * as Yaml from "yaml";
import { isObject, type JsonObject, shown } from "../contract/json.ts";
import type { Problem } from "../run/problem.ts";
import { placedText } from "../run/problemText.ts";
import { checkOf } from "../run/schemaCheck.ts";
import { expand } from "./expand.ts";
import { DURATION_PATTERN, fileSchema } from "./fileSchema.ts";
import { expectation } from "./kinds.ts";
import { type Refuse, refuseAtOnce } from "./refusal.ts";
import { repeatedMembers } from "./repeatedMembers.ts";
import { parseWrittenJson } from "./writtenJson.ts";

// One object, so that the validator is compiled once.
const FILE_SCHEMA = fileSchema();

/** A server's entry as written in the file, with the schema's objection to it, if any. */
export type ServerEntry = { readonly name: string; readonly entry: unknown; readonly problem: string | undefined };

export type ConfigFile = {
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
		const problems = [...repeated.map(givenTwice), ...checkOf(FILE_SCHEMA)(raw)];
		const { own = [], ofServers = [] } = Object.groupBy(problems, ({ at }) =>
			at[0] === "mcpServers" && at.length > 1 ? "ofServers" : "own",
		);
		if (own.length > 0) refuse(`${path}: ${textOf(own)}`);
		const { mcpServers, ...rest } = raw;
		const servers = Object.entries(section(mcpServers)).map(([name, entry]) => {
			const against = ofServers.filter(({ at }) => at[1] === name);
			return { name, entry, problem: against.length === 0 ? undefined : textOf(against) };
		});
		return { file: section(expand(rest, environment, "")), servers };
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
	return problems.map((problem) => placedText(worded(withoutSecret(problem)), problem.at.join("."))).join("; ");
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
	return { at, kind: "other", says: `expected ${expectation({ type: "duration" }, got)}`, got };
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
	if (!isObject(value ?? {})) throw new Error(`expected an object, got ${shown(value)}`);
	return { value: section(value), repeated: isJson ? repeatedMembers(text, value) : [] };
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
export function section(value: unknown): JsonObject {
	return isObject(value) ? value : {};
}
