import { readPolicy } from "../auth/policy.ts";
import { type Config, loadConfig } from "../config/load.ts";
import { readQuarantine } from "../quarantine/quarantine.ts";
import type { Console } from "./console.ts";
import type { CommandLine } from "./flags.ts";

/** A configuration that cannot be used. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
}

/** The configuration a command line asks for; its warnings are said once. */
export function configured(line: CommandLine, console: Console): Config {
	const config = usable(() => readConfig(line));
	for (const warning of config.warnings) console.complain(warning);
	return config;
}

/** The result of `read`, with any error turned into a ConfigError. */
export function usable<Value>(read: () => Value): Value {
	try {
		return read();
	} catch (thrown) {
		throw new ConfigError(thrown instanceof Error ? thrown.message : "unreadable configuration", { cause: thrown });
	}
}

export function readConfig({ settings, config }: CommandLine): Config {
	const loaded = loadConfig({
		flags: settings,
		...(config !== undefined && { configFile: config }),
		environment: process.env,
	});
	// Parsed only to report errors early: an access rule must not be half understood.
	readPolicy(loaded.sections.policy);
	readQuarantine(loaded.sections.quarantine, process.env);
	return loaded;
}
