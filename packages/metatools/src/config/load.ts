import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { neededHome, userFolder } from "libmcp/command";
import { LOCAL_NAMESPACE } from "../catalog/toolId.ts";
import { isObject, type JsonObject, showValue } from "../contract/json.ts";
import { createSkillId, parseSkill, type Skill } from "../toolsets/skill.ts";
import { createToolsetId, createToolsets, findToolset, type Toolset, type ToolsetConfig } from "../toolsets/toolset.ts";
import type { UpstreamSpec } from "../upstream/spec.ts";
import { type Refuse, readConfigFile, readSection, reasonOf, refuseAtOnce } from "./configFile.ts";
import type { OPEN_SECTIONS } from "./fileSchema.ts";
import { type Kind, readValue } from "./kinds.ts";
import { assignNamespaces, findSharedIds, importServers, readOwnServers } from "./serverLists.ts";
import { isSwitchedOff } from "./servers.ts";
import { CONFIG_VARIABLE, SETTINGS, type Settings } from "./settings.ts";

/** Where settings come from. Flags override the environment, which overrides the file. */
export type ConfigSource = {
	/** By setting name, as text. */
	readonly flags: Readonly<Record<string, string>>;
	readonly configFile?: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Everything that the file, the environment and the flags say. */
export type Config = {
	readonly settings: Settings;
	readonly servers: readonly UpstreamSpec[];
	/** Names of servers that our own file disables, wherever else they are configured. */
	readonly disabled: readonly string[];
	readonly toolsets: readonly Toolset[];
	readonly skills: readonly Skill[];
	/** Parts of the file that others read: auth, policy, quarantine. */
	readonly sections: Readonly<Record<(typeof OPEN_SECTIONS)[number], JsonObject>>;
	/** Our own file, if there is one. */
	readonly file?: string;
	/** Every file that was read, for watching. */
	readonly files: readonly string[];
	readonly warnings: readonly string[];
};

/**
 * Reads flags, environment and files into one configuration; throws an Error naming file, field and value. A server whose
 * entry has a mistake is `unusable`.
 */
export function loadConfig({ flags, configFile, environment }: ConfigSource, refuse: Refuse = refuseAtOnce): Config {
	const named = configFile ?? (environment[CONFIG_VARIABLE] || findDefaultFile(environment));
	const path = named === undefined || named === "" ? undefined : resolve(named);
	const { file, servers } = path === undefined ? { file: {}, servers: [] } : readConfigFile(path, environment, refuse);
	const files = path === undefined ? [] : [path];
	const settings = readSettings(flags, environment, file, refuse);
	if (settings.limitsFile !== "") files.push(resolve(settings.limitsFile));
	const imports = Array.isArray(file.import)
		? file.import.map((name) =>
				resolve(
					dirname(files[0] ?? "."),
					String(name).replace(/^~(?=\/)/, () => neededHome(environment)),
				),
			)
		: [];
	const noCode = settings.code ? explainNoSandbox(settings) : undefined;
	const warnings = noCode === undefined ? [] : [`execute_code is not offered, since no code can run: ${noCode}`];
	const own = readOwnServers(servers, environment, warnings);
	const disabled = servers.filter(({ entry }) => isSwitchedOff(entry)).map(({ name }) => name);
	const names = new Set([...own.map((server) => server.name), ...disabled]);
	const imported = imports
		.flatMap((name) => importServers(name, environment, warnings))
		.filter((server) => !names.has(server.name) && names.add(server.name));
	const taken = new Set<string>([LOCAL_NAMESPACE]);
	const toolsets = createToolsets(toolsetConfigs(file.toolsets));
	for (const complaint of [
		...findSharedIds("toolsets", Object.keys(readSection(file.toolsets)), createToolsetId),
		...findSharedIds("skills", Object.keys(readSection(file.skills)), createSkillId),
	])
		refuse(complaint);
	for (const [place, name] of confinements(settings.toolset, readSection(file.auth)))
		if (findToolset(toolsets, name) === undefined)
			refuse(
				`${place}: expected one of ${toolsets.map((set) => set.name).join(", ") || "the toolsets, and there is none"}, got ${showValue(name)}`,
			);
	return {
		settings,
		// What another client's file gains does not rename a server of our own.
		servers: [own, imported].flatMap((some) => assignNamespaces(some, taken)),
		disabled,
		toolsets,
		skills: Object.entries(readSection(file.skills)).map(([name, skill]) => parseSkill(skill, name)),
		sections: {
			auth: readSection(file.auth),
			policy: readSection(file.policy),
			quarantine: readSection(file.quarantine),
		},
		...(path !== undefined && { file: path }),
		files: [...files, ...imports],
		warnings,
	};
}

/** The toolsets that callers are confined to, and where that is said. */
function confinements(ofAll: string, auth: JsonObject): readonly (readonly [place: string, name: string])[] {
	const ofKeys = Object.entries(readSection(auth.keys)).flatMap(([key, entry]) => {
		const { toolset } = readSection(entry);
		return typeof toolset === "string" ? [[`auth.keys.${key}.toolset`, toolset] as const] : [];
	});
	return ofAll === "" ? ofKeys : [["toolset", ofAll], ...ofKeys];
}

function toolsetConfigs(value: unknown): Record<string, ToolsetConfig> {
	// The schema of the file was checked before; this only narrows the types.
	const texts = (list: unknown) => (Array.isArray(list) ? list.filter((item) => typeof item === "string") : []);
	return Object.fromEntries(
		Object.entries(readSection(value)).map(([name, set]) => {
			const { description, tools, exclude } = readSection(set);
			return [
				name,
				{ ...(typeof description === "string" && { description }), tools: texts(tools), exclude: texts(exclude) },
			];
		}),
	);
}

/** Reads each setting from its flag, else its variable, else the file, else its default. Limits may have their own file. */
function readSettings(
	flags: Readonly<Record<string, string>>,
	environment: Readonly<Record<string, string | undefined>>,
	file: JsonObject,
	refuse: Refuse = refuseAtOnce,
): Settings {
	const read = (file: JsonObject) =>
		Object.entries(SETTINGS).map(([name, setting]): [string, string | number | boolean] => {
			const { env, key, flag, kind } = setting;
			const variables: readonly string[] = [env, ...("envAliases" in setting ? setting.envAliases : [])];
			const variable = variables.find((candidate) => (environment[candidate] ?? "") !== "");
			try {
				if (flags[name] !== undefined) return [name, readValue(kind, flags[name], `--${flag}`)];
				if (variable !== undefined) return [name, readValue(kind, environment[variable], variable)];
				return [name, readFromFile(file, key, kind) ?? readValue(kind, setting.default, key)];
			} catch (thrown) {
				refuse(reasonOf(thrown));
				return [name, readValue(kind, setting.default, key)];
			}
		});
	const first = Object.fromEntries(read(file));
	if (first.limitsFile === "") return first as Settings;
	const { file: limits } = readConfigFile(resolve(String(first.limitsFile)), environment);
	return Object.fromEntries(
		read({ ...file, execution: { ...readSection(file.execution), ...readSection(limits.execution) } }),
	) as Settings;
}

function readFromFile(file: JsonObject, key: string, kind: Kind): string | number | boolean | undefined {
	let value: unknown = file;
	for (const part of key.split(".")) value = isObject(value) ? value[part] : undefined;
	return value === undefined ? undefined : readValue(kind, value, key);
}

type Environment = Readonly<Record<string, string | undefined>>;

export const CONFIG_FILE_NAMES = ["metatools.json", "metatools.yaml", "metatools.yml"] as const;

/** The configuration file used when neither the flag nor the environment names one. */
export function findDefaultFile(environment: Environment): string | undefined {
	return listDefaultFiles(environment).find((path) => existsSync(path));
}

/** Where that file may be. Never the working directory: a client starts us inside whatever project it has open. */
export function listDefaultFiles(environment: Environment): readonly string[] {
	const folder = userFolder("config", environment);
	return CONFIG_FILE_NAMES.map((name) => join(folder, name));
}

/** The configuration without a file, environment or servers. */
export function loadDefaultConfig(): Config {
	return loadConfig({ flags: {}, configFile: "", environment: {} });
}

type IsolationSettings = Pick<Settings, "runtimeProfile" | "runtimeBackend" | "wasm">;

/** Why the settings leave no sandbox for code, or undefined if they leave one. */
export function explainNoSandbox({ runtimeProfile, runtimeBackend, wasm }: IsolationSettings): string | undefined {
	return runtimeProfile === "standard" && runtimeBackend === "wasm" && !wasm
		? "runtime.backend is wasm but wasm.enabled is false"
		: undefined;
}

/** What must be there for code to run, where the settings leave nothing to fall back to. */
export function listNeededForCode({ runtimeProfile, runtimeBackend, wasm }: IsolationSettings): string | undefined {
	return runtimeProfile === "standard" && runtimeBackend === "docker" && !wasm
		? "a Docker engine on this machine, as the WASM sandbox is disabled"
		: undefined;
}
