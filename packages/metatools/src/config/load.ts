import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { neededHome, userFolder } from "libmcp/launch";
import type * as Yaml from "yaml";
import { isObject, type JsonObject, shown } from "../contract/json.ts";
import { checkOf } from "../run/schemaCheck.ts";
import { parseSkill, type Skill } from "../toolsets/skill.ts";
import { createToolsets, findToolset, type Toolset, type ToolsetConfig } from "../toolsets/toolset.ts";
import type { UpstreamSpec } from "../upstream/spec.ts";
import { expand } from "./expand.ts";
import { fileSchema, type OPEN_SECTIONS } from "./fileSchema.ts";
import { type Kind, readValue } from "./kinds.ts";
import { readServers } from "./servers.ts";
import { CONFIG_VARIABLE, SETTINGS, type Settings } from "./settings.ts";

export type ConfigSource = {
	/** By setting name, as text. */
	readonly flags: Readonly<Record<string, string>>;
	readonly configFile?: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

export type Config = {
	readonly settings: Settings;
	readonly servers: readonly UpstreamSpec[];
	readonly toolsets: readonly Toolset[];
	readonly skills: readonly Skill[];
	/** Parts of the file that others read: auth, policy, quarantine. */
	readonly sections: Readonly<Record<(typeof OPEN_SECTIONS)[number], JsonObject>>;
	/** Every file that was read, for watching. */
	readonly files: readonly string[];
	readonly warnings: readonly string[];
};

// Kept, so that it is compiled once.
const FILE_SCHEMA = fileSchema();

/** Reads flags, environment and files into one configuration; throws an Error naming file, field and value. */
export function loadConfig({ flags, configFile, environment }: ConfigSource): Config {
	const path = configFile ?? environment[CONFIG_VARIABLE] ?? defaultFile(environment);
	const file = path === undefined || path === "" ? {} : readConfigFile(resolve(path), environment);
	const files = path === undefined || path === "" ? [] : [resolve(path)];
	const settings = readSettings(flags, environment, file);
	if (settings.limitsFile !== "") files.push(resolve(settings.limitsFile));
	const imports = Array.isArray(file.import)
		? file.import.map((name) =>
				resolve(
					dirname(files[0] ?? "."),
					String(name).replace(/^~(?=\/)/, () => neededHome(environment)),
				),
			)
		: [];
	const warnings: string[] = [];
	const taken = new Set<string>();
	const own = readServers(file.mcpServers, "mcpServers", taken);
	const names = new Set(own.map((server) => server.name));
	const imported = imports
		.flatMap((name) => importServers(name, environment, taken, warnings))
		.filter((server) => !names.has(server.name) && names.add(server.name));
	const toolsets = createToolsets(toolsetConfigs(file.toolsets));
	if (settings.toolset !== "" && findToolset(toolsets, settings.toolset) === undefined)
		throw new Error(
			`toolset: expected one of ${toolsets.map((set) => set.name).join(", ") || "the toolsets, and there is none"}, got ${shown(settings.toolset)}`,
		);
	return {
		settings,
		servers: [...own, ...imported],
		toolsets,
		skills: Object.entries(isObject(file.skills) ? file.skills : {}).map(([name, skill]) => parseSkill(skill, name)),
		sections: { auth: section(file.auth), policy: section(file.policy), quarantine: section(file.quarantine) },
		files: [...files, ...imports],
		warnings,
	};
}

// Never the working directory: a client starts us inside whatever project it has open.
function defaultFile(environment: Readonly<Record<string, string | undefined>>): string | undefined {
	const folder = userFolder("config", environment);
	return ["metatools.json", "metatools.yaml", "metatools.yml"]
		.map((name) => join(folder, name))
		.find((path) => existsSync(path));
}

function readConfigFile(path: string, environment: Readonly<Record<string, string | undefined>>): JsonObject {
	try {
		const raw = parseFile(path);
		const problems = checkOf(FILE_SCHEMA)(raw, "");
		if (problems.length > 0)
			throw new Error(problems.map((problem) => problem.replace(/^\//, "").replaceAll("/", ".")).join("; "));
		const expanded = expand(raw, environment, "");
		return isObject(expanded) ? expanded : {};
	} catch (thrown) {
		throw new Error(`${path}: ${reasonOf(thrown)}`, { cause: thrown });
	}
}

function parseFile(path: string): JsonObject {
	const text = readFileSync(path, "utf8");
	const value: unknown = extname(path) === ".json" ? JSON.parse(text) : yaml().parse(text, { maxAliasCount: 100 });
	if (!isObject(value ?? {})) throw new Error(`expected an object, got ${shown(value)}`);
	return isObject(value) ? value : {};
}

/** In one line: YAML's errors quote the text below it, and the system's repeat the path. */
function reasonOf(thrown: unknown): string {
	if (!(thrown instanceof Error)) return "unreadable";
	const [line = ""] = thrown.message.split("\n");
	return line.replace(/^(E[A-Z]+): (.+?), \w+(?: '.*')?$/, "$2 ($1)").replace(/:$/, "");
}

// Loaded when a file is YAML: starting with a JSON file, or with none, need not wait for it.
function yaml(): typeof Yaml {
	return createRequire(import.meta.url)("yaml");
}

function importServers(
	path: string,
	environment: Readonly<Record<string, string | undefined>>,
	taken: Set<string>,
	warnings: string[],
): UpstreamSpec[] {
	let block: unknown;
	try {
		const file = parseFile(path);
		block = file.mcpServers ?? file.servers ?? {};
	} catch (thrown) {
		throw new Error(`${path}: ${reasonOf(thrown)}`, { cause: thrown });
	}
	// Another client's file may hold what only that client understands: such a server is left out, not the whole file.
	return Object.entries(isObject(block) ? block : {}).flatMap(([name, entry]) => {
		try {
			return readServers({ [name]: expand(entry, environment, name) }, path, taken);
		} catch (thrown) {
			warnings.push(`${path}: ${name} is left out: ${reasonOf(thrown)}`);
			return [];
		}
	});
}

function readSettings(
	flags: Readonly<Record<string, string>>,
	environment: Readonly<Record<string, string | undefined>>,
	file: JsonObject,
): Settings {
	const read = (file: JsonObject) =>
		Object.entries(SETTINGS).map(([name, setting]): [string, string | number | boolean] => {
			const { env, key, flag, kind } = setting;
			const variables: readonly string[] = [env, ...("envAliases" in setting ? setting.envAliases : [])];
			const variable = variables.find((candidate) => (environment[candidate] ?? "") !== "");
			if (flags[name] !== undefined) return [name, readValue(kind, flags[name], `--${flag}`)];
			if (variable !== undefined) return [name, readValue(kind, environment[variable], variable)];
			return [name, readFromFile(file, key, kind) ?? readValue(kind, setting.default, key)];
		});
	const first = Object.fromEntries(read(file));
	if (first.limitsFile === "") return first as Settings;
	const limits = readConfigFile(resolve(String(first.limitsFile)), environment);
	return Object.fromEntries(
		read({ ...file, execution: { ...section(file.execution), ...section(limits.execution) } }),
	) as Settings;
}

function readFromFile(file: JsonObject, key: string, kind: Kind): string | number | boolean | undefined {
	let value: unknown = file;
	for (const part of key.split(".")) value = isObject(value) ? value[part] : undefined;
	return value === undefined ? undefined : readValue(kind, value, key);
}

function toolsetConfigs(value: unknown): Record<string, ToolsetConfig> {
	// The file's schema was checked before; this narrows what it promised.
	const texts = (list: unknown) => (Array.isArray(list) ? list.filter((item) => typeof item === "string") : []);
	return Object.fromEntries(
		Object.entries(section(value)).map(([name, set]) => {
			const { description, tools, exclude } = section(set);
			return [
				name,
				{ ...(typeof description === "string" && { description }), tools: texts(tools), exclude: texts(exclude) },
			];
		}),
	);
}

function section(value: unknown): JsonObject {
	return isObject(value) ? value : {};
}
