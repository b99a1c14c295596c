import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import type * as Yaml from "yaml";
import { isObject, type JsonObject, shown } from "../contract/json.ts";
import type { Problem } from "../run/problem.ts";
import { placedText } from "../run/problemText.ts";
import { checkOf } from "../run/schemaCheck.ts";
import { expand } from "./expand.ts";
import { fileSchema } from "./fileSchema.ts";
import { parseWrittenJson } from "./writtenJson.ts";

// One object, so that the validator is compiled once.
const FILE_SCHEMA = fileSchema();

/** The entry of a server as it is written, and what the schema of the file says against it. */
export type ServerEntry = { readonly name: string; readonly entry: unknown; readonly problem: string | undefined };

export type ConfigFile = {
	/** All but the servers: validated, with variables expanded. */
	readonly file: JsonObject;
	readonly servers: readonly ServerEntry[];
};

/** Reads our own configuration file. A mistake in the entry of a server is not one of the whole file. */
export function readConfigFile(path: string, environment: Readonly<Record<string, string | undefined>>): ConfigFile {
	try {
		const raw = parseFile(path);
		const problems = checkOf(FILE_SCHEMA)(raw);
		const { own = [], ofServers = [] } = Object.groupBy(problems, ({ at }) =>
			at[0] === "mcpServers" && at.length > 1 ? "ofServers" : "own",
		);
		if (own.length > 0) throw new Error(textOf(own));
		const { mcpServers, ...rest } = raw;
		const servers = Object.entries(section(mcpServers)).map(([name, entry]) => {
			const against = ofServers.filter(({ at }) => at[1] === name);
			return { name, entry, problem: against.length === 0 ? undefined : textOf(against) };
		});
		return { file: section(expand(rest, environment, "")), servers };
	} catch (thrown) {
		throw new Error(`${path}: ${reasonOf(thrown)}`, { cause: thrown });
	}
}

function textOf(problems: readonly Problem[]): string {
	return problems.map((problem) => placedText(problem, problem.at.join("."))).join("; ");
}

/** JSON or YAML, by the name of the file. */
export function parseFile(path: string): JsonObject {
	// Some editors begin a file with a mark of its encoding.
	const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
	const isJson = [".json", ".jsonc"].includes(extname(path));
	const value: unknown = isJson ? parseWrittenJson(text) : yaml().parse(text, { maxAliasCount: 100 });
	if (!isObject(value ?? {})) throw new Error(`expected an object, got ${shown(value)}`);
	return isObject(value) ? value : {};
}

/** The reason in one line: YAML errors quote the source below, and system errors repeat the path. */
export function reasonOf(thrown: unknown): string {
	if (!(thrown instanceof Error)) return "unreadable";
	const [line = ""] = thrown.message.split("\n");
	return line.replace(/^(E[A-Z]+): (.+?), \w+(?: '.*')?$/, "$2 ($1)").replace(/:$/, "");
}

// Loaded when a file is YAML: starting with a JSON file, or with none, need not wait for it.
function yaml(): typeof Yaml {
	return createRequire(import.meta.url)("yaml");
}

/** An optional section of a file; empty when missing. */
export function section(value: unknown): JsonObject {
	return isObject(value) ? value : {};
}
