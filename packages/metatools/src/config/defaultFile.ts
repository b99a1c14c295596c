import { existsSync } from "node:fs";
import { join } from "node:path";
import { userFolder } from "libmcp/command";

type Environment = Readonly<Record<string, string | undefined>>;

export const CONFIG_FILE_NAMES = ["metatools.json", "metatools.yaml", "metatools.yml"] as const;

/** The configuration file used when neither the flag nor the environment names one. */
export function defaultFile(environment: Environment): string | undefined {
	return defaultFiles(environment).find((path) => existsSync(path));
}

/** Where that file may be. Never the working directory: a client starts us inside whatever project it has open. */
export function defaultFiles(environment: Environment): readonly string[] {
	const folder = userFolder("config", environment);
	return CONFIG_FILE_NAMES.map((name) => join(folder, name));
}
