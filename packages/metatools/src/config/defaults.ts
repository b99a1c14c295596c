import { type Config, loadConfig } from "./load.ts";

/** The configuration without a file, environment or servers. */
export function defaultConfig(): Config {
	return loadConfig({ flags: {}, configFile: "", environment: {} });
}
