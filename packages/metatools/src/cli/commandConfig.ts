import { readPolicy } from "../auth/policy.ts";
import { type Config, type ConfigSource, loadConfig } from "../config/load.ts";
import { readQuarantine } from "../quarantine/quarantine.ts";
import type { Console } from "./console.ts";
import type { CommandLine } from "./flags.ts";

/** A configuration that cannot be used. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
}

/** Loads the configuration that a command line asks for, and prints its warnings. */
export function loadCommandConfig(line: CommandLine, console: Console): Config {
	const config = asConfigError(() => readConfig(line));
	for (const warning of config.warnings) console.complain(warning);
	return config;
}

/** Returns the result of `read`; any error becomes a ConfigError. */
function asConfigError<Value>(read: () => Value): Value {
	try {
		return read();
	} catch (thrown) {
		throw new ConfigError(thrown instanceof Error ? thrown.message : "unreadable configuration", { cause: thrown });
	}
}

export function readConfig(line: CommandLine): Config {
	const loaded = loadConfig(createSource(line));
	// Parsed only to report mistakes in access rules before anything is served.
	readPolicy(loaded.sections.policy);
	readQuarantine(loaded.sections.quarantine, process.env);
	return loaded;
}

/** Where the settings come from for this command line. */
export function createSource({ settings, config }: CommandLine): ConfigSource {
	return {
		flags: settings,
		...(config !== undefined && { configFile: config }),
		environment: process.env,
	};
}
