import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import type * as Yaml from "yaml";
import { isObject, type JsonObject, shown } from "../contract/json.ts";
import { placedText } from "../run/problemText.ts";
import { checkOf } from "../run/schemaCheck.ts";
import { expand } from "./expand.ts";
import { fileSchema } from "./fileSchema.ts";

// One object, so that the validator is compiled once.
const FILE_SCHEMA = fileSchema();

/** Reads our own configuration file: validated, with variables expanded. */
export function readConfigFile(path: string, environment: Readonly<Record<string, string | undefined>>): JsonObject {
	try {
		const raw = parseFile(path);
		const problems = checkOf(FILE_SCHEMA)(raw);
		if (problems.length > 0)
			throw new Error(problems.map((problem) => placedText(problem, problem.at.join("."))).join("; "));
		const expanded = expand(raw, environment, "");
		return isObject(expanded) ? expanded : {};
	} catch (thrown) {
		throw new Error(`${path}: ${reasonOf(thrown)}`, { cause: thrown });
	}
}

/** JSON or YAML, by the name of the file. */
export function parseFile(path: string): JsonObject {
	const text = readFileSync(path, "utf8");
	const value: unknown = extname(path) === ".json" ? JSON.parse(text) : yaml().parse(text, { maxAliasCount: 100 });
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
