import { resolve } from "node:path";
import { isObject, type JsonObject } from "../contract/json.ts";
import { readConfigFile, reasonOf, section } from "./configFile.ts";
import { type Kind, readValue } from "./kinds.ts";
import { type Refuse, refuseAtOnce } from "./refusal.ts";
import { SETTINGS, type Settings } from "./settings.ts";

/** Reads each setting from its flag, else its variable, else the file, else its default. Limits may have their own file. */
export function readSettings(
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
		read({ ...file, execution: { ...section(file.execution), ...section(limits.execution) } }),
	) as Settings;
}

function readFromFile(file: JsonObject, key: string, kind: Kind): string | number | boolean | undefined {
	let value: unknown = file;
	for (const part of key.split(".")) value = isObject(value) ? value[part] : undefined;
	return value === undefined ? undefined : readValue(kind, value, key);
}
