import { dirname, resolve } from "node:path";
import { neededHome } from "libmcp/command";
import { LOCAL_NAMESPACE } from "../catalog/toolId.ts";
import { type JsonObject, shown } from "../contract/json.ts";
import { parseSkill, type Skill, skillId } from "../toolsets/skill.ts";
import { createToolsets, findToolset, type Toolset, type ToolsetConfig, toolsetId } from "../toolsets/toolset.ts";
import type { UpstreamSpec } from "../upstream/spec.ts";
import { readConfigFile, section } from "./configFile.ts";
import { defaultFile } from "./defaultFile.ts";
import type { OPEN_SECTIONS } from "./fileSchema.ts";
import { importServers } from "./importServers.ts";
import { noSandbox } from "./isolation.ts";
import { ownServers } from "./ownServers.ts";
import { readSettings } from "./readSettings.ts";
import { type Refuse, refuseAtOnce } from "./refusal.ts";
import { isSwitchedOff } from "./servers.ts";
import { CONFIG_VARIABLE, type Settings } from "./settings.ts";
import { sharedIds } from "./sharedIds.ts";
import { withNamespaces } from "./withNamespaces.ts";

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
	const named = configFile ?? (environment[CONFIG_VARIABLE] || defaultFile(environment));
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
	const noCode = settings.code ? noSandbox(settings) : undefined;
	const warnings = noCode === undefined ? [] : [`execute_code is not offered, since no code can run: ${noCode}`];
	const own = ownServers(servers, environment, warnings);
	const disabled = servers.filter(({ entry }) => isSwitchedOff(entry)).map(({ name }) => name);
	const names = new Set([...own.map((server) => server.name), ...disabled]);
	const imported = imports
		.flatMap((name) => importServers(name, environment, warnings))
		.filter((server) => !names.has(server.name) && names.add(server.name));
	const taken = new Set<string>([LOCAL_NAMESPACE]);
	const toolsets = createToolsets(toolsetConfigs(file.toolsets));
	for (const complaint of [
		...sharedIds("toolsets", Object.keys(section(file.toolsets)), toolsetId),
		...sharedIds("skills", Object.keys(section(file.skills)), skillId),
	])
		refuse(complaint);
	for (const [place, name] of confinements(settings.toolset, section(file.auth)))
		if (findToolset(toolsets, name) === undefined)
			refuse(
				`${place}: expected one of ${toolsets.map((set) => set.name).join(", ") || "the toolsets, and there is none"}, got ${shown(name)}`,
			);
	return {
		settings,
		// What another client's file gains does not rename a server of our own.
		servers: [own, imported].flatMap((some) => withNamespaces(some, taken)),
		disabled,
		toolsets,
		skills: Object.entries(section(file.skills)).map(([name, skill]) => parseSkill(skill, name)),
		sections: { auth: section(file.auth), policy: section(file.policy), quarantine: section(file.quarantine) },
		...(path !== undefined && { file: path }),
		files: [...files, ...imports],
		warnings,
	};
}

/** The toolsets that callers are confined to, and where that is said. */
function confinements(ofAll: string, auth: JsonObject): readonly (readonly [place: string, name: string])[] {
	const ofKeys = Object.entries(section(auth.keys)).flatMap(([key, entry]) => {
		const { toolset } = section(entry);
		return typeof toolset === "string" ? [[`auth.keys.${key}.toolset`, toolset] as const] : [];
	});
	return ofAll === "" ? ofKeys : [["toolset", ofAll], ...ofKeys];
}

function toolsetConfigs(value: unknown): Record<string, ToolsetConfig> {
	// The schema of the file was checked before; this only narrows the types.
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
