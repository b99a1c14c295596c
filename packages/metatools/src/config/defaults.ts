import { type Config, loadConfig } from "./load.ts";

/** The configuration of a gateway that was told nothing: no file, no environment, no servers. */
export function defaultConfig(): Config {
	return loadConfig({ flags: {}, configFile: "", environment: {} });
}
